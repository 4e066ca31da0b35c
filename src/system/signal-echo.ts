/**
 * A Ctrl-C under npm arrives twice, from the terminal and from npm; the second signal within this time, in milliseconds, is
 * the first one's echo. (close-with-grace ends at any second signal.)
 */
export const ECHO_MS = 250;

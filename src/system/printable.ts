/** A text for a terminal or a log: names of files may hold what these take for a command. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?');

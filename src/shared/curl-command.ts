/** The shell command for a conversion, as messages, pages and the reference show it. */

/**
 * Stores the PDF in `file`. An error, with which curl exits with 22, goes to the terminal and leaves no file. Any failure ends it with
 * 1, also where a script stops at errors. For curl 7.76 or later, and a shell such as bash.
 *
 * @param request the arguments that make the request.
 */
export function curlCommand(file: string, request: string): string {
  return `curl --fail-with-body -o ${file} ${request} || { [ $? -eq 22 ] && cat ${file} && rm -f ${file}; false; }`;
}

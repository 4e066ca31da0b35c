/** The shell command for a conversion, as messages, pages and the reference show it. */

/**
 * Stores the PDF in `file`. An error, with which curl exits with 22, goes to the terminal and leaves no file. For curl 7.76 or
 * later, and a shell such as bash.
 *
 * @param request the arguments that make the request.
 */
export function curlCommand(file: string, request: string): string {
  return `curl --fail-with-body -o ${file} ${request}; [ $? -ne 22 ] || { cat ${file}; rm ${file}; }`;
}

/** Server-sent events of an answer. EventSource would read them, but sends no key. */

/**
 * Reads a stream to its end.
 *
 * @param hear is called whenever something arrives, comments included.
 * @param tell receives the data of each event, of one line.
 */
export async function readEvents(
  stream: ReadableStream<Uint8Array> | null,
  hear: () => void,
  tell: (data: string) => void,
): Promise<void> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return;
    hear();
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (data !== undefined) tell(data);
    }
  }
}

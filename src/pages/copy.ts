/** Buttons that copy a text: `<button data-copy="ID">`, where ID is that of the element with the text. */
import { all, byId } from './elements.ts';

/** How long a button says what it did. */
export const SAID_MS = 2_500;

export function enableCopying(): void {
  for (const button of all('button[data-copy]')) copyBy(button, byId(button.dataset.copy ?? '', HTMLElement));
}

/** Has a button copy the text of an element, and say so. */
export function copyBy(button: HTMLElement, source: HTMLElement): void {
  const label = button.textContent;
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', async () => {
    button.textContent = await copyText(source);
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  });
}

/**
 * Copies the text of an element. A page that did not come over TLS, nor from this machine, has no clipboard: there the
 * text is selected.
 *
 * @returns what the button says.
 */
export async function copyText(source: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    return 'Press Ctrl+C';
  }
}

/** The API key of the visitor, with which several documents go as a job. It stays in its field: nothing stores it. */
import { all, byId } from '../elements.ts';

const panel = byId('several', HTMLDetailsElement);
const field = byId('api-key', HTMLInputElement);

/** Empty for none. */
export function apiKey(): string {
  // No key has characters that a header cannot carry: the service says so.
  return field.value.trim().replaceAll(/[^!-~]/g, '?');
}

/** Whether the service takes jobs. */
export const hasJobs = panel.dataset.in !== '';

/** Shows where to enter one. */
export function askForKey(): void {
  panel.open = true;
}

/** Shows what the page says with a key, or without one. @param changed is called at once, and whenever that changes. */
export function watchKey(changed: (hasKey: boolean) => void): void {
  const show = () => {
    const hasKey = apiKey() !== '';
    for (const part of all('[data-for]')) part.hidden = (part.dataset.for === 'key') !== hasKey;
    changed(hasKey);
  };
  field.addEventListener('input', show);
  // The browser may keep the page, to show it again when the visitor goes back.
  addEventListener('pagehide', () => {
    field.value = '';
    show();
  });
  show();
}

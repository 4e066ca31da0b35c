/** The options of the page: those of the public endpoint, and with a key whether several documents become one PDF. */
import { byId } from '../elements.ts';

const panel = byId('options', HTMLDetailsElement);
const pages = byId('option-pages', HTMLInputElement);
const layout = byId('option-layout', HTMLSelectElement);
const format = byId('option-format', HTMLSelectElement);
const combine = byId('option-combine', HTMLSelectElement);
const error = byId('pages-error', HTMLElement);

/** The query for the options that are shown, `?` included; empty for none. */
export function optionsQuery(): string {
  const shown = [pages, layout, format, combine].filter(({ hidden }) => !hidden);
  const entries = shown.map(({ name, value }) => [name, value.replaceAll(' ', '')]);
  const query = new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
  // A comma need not be escaped, and reads better in the line for the terminal.
  return query === '' ? '' : `?${query.replaceAll('%2C', ',')}`;
}

/** Shows what is wrong with the options, if anything is. @returns whether they can be sent. */
export function checkOptions(): boolean {
  pages.value = pages.value.replaceAll(' ', '');
  const isValid = pages.checkValidity();
  error.hidden = isValid;
  pages.setAttribute('aria-invalid', String(!isValid));
  if (isValid) return true;
  panel.open = true;
  pages.focus();
  return false;
}

/** @param changed is called with the new query whenever an option changes. */
export function watchOptions(changed: (query: string) => void): void {
  panel.addEventListener('change', () => {
    if (checkOptions()) changed(optionsQuery());
  });
}

/** How a document comes into the page: chosen, or dropped anywhere on it. */
import { all, byId } from '../elements.ts';

/** @param take receives the chosen or dropped file; undefined for anything but a single file. */
export function acceptDocuments(take: (file: File | undefined) => void): void {
  const input = byId('file', HTMLInputElement);
  for (const button of all('button[data-choose]')) button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    input.value = '';
    if (file) take(file);
  });
  acceptDrops(take);
}

/** An overlay takes the drop, as a displayed PDF would swallow it. */
function acceptDrops(take: (file: File | undefined) => void): void {
  const cover = byId('drop-cover', HTMLElement);
  const brings = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    cover.hidden = false;
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) cover.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    cover.hidden = true;
    if (!brings(event)) return;
    event.preventDefault();
    take(onlyFile(event.dataTransfer));
  });
}

function onlyFile(data: DataTransfer | null): File | undefined {
  const [item, ...others] = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  if (!item || others.length > 0 || item.webkitGetAsEntry()?.isDirectory) return undefined;
  return item.getAsFile() ?? undefined;
}

/** How a document comes into the page: chosen, or dropped anywhere on it. */
import { all, byId } from '../elements.ts';

/** @param take is given what was chosen or dropped; undefined is something that is no single file. */
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

/** A cover takes the drop: a PDF that is shown would keep it for itself. */
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

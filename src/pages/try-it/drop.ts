/** How documents come into the page: chosen, or dropped anywhere on it. */
import { all, byId } from '../elements.ts';

const input = byId('file', HTMLInputElement);

/** @param take receives the chosen or dropped files: none if something else was dropped. */
export function acceptDocuments(take: (files: readonly File[]) => void): void {
  for (const button of all('button[data-choose]')) button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    // The same file may be chosen again.
    input.value = '';
    if (files.length > 0) take(files);
  });
  acceptDrops(take);
}

/** Whether several can be chosen at once. */
export function acceptSeveral(several: boolean): void {
  input.multiple = several;
}

/** An overlay takes the drop, as a displayed PDF would swallow it. */
function acceptDrops(take: (files: readonly File[]) => void): void {
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
    take(filesOf(event.dataTransfer));
  });
}

/** None if one of them is a folder. */
function filesOf(data: DataTransfer | null): File[] {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  if (items.some((item) => item.webkitGetAsEntry()?.isDirectory)) return [];
  return items.flatMap((item) => item.getAsFile() ?? []);
}

/** All kinds of growing documents. */
import { bindingKinds } from './bindings.ts';
import { drawingKinds } from './drawings.ts';
import { fieldKinds } from './fields.ts';
import { fontKinds } from './fonts.ts';
import { formulaKinds } from './formulas.ts';
import type { GrowingDocument } from './growing-document.ts';
import { listKinds } from './lists.ts';
import { markupKinds } from './markup.ts';
import { noteKinds } from './notes.ts';
import { pageKinds } from './pages.ts';
import { paragraphKinds } from './paragraphs.ts';
import { pictureKinds } from './pictures.ts';
import { relationKinds } from './relations.ts';
import { sectionKinds } from './sections.ts';
import { styleKinds } from './styles.ts';
import { tableKinds } from './tables.ts';
import { changeKinds } from './tracked-changes.ts';

/** Each has a name of its own. */
export const growingDocuments: readonly GrowingDocument[] = [
  ...paragraphKinds,
  ...drawingKinds,
  ...sectionKinds,
  ...tableKinds,
  ...fieldKinds,
  ...changeKinds,
  ...styleKinds,
  ...listKinds,
  ...fontKinds,
  ...formulaKinds,
  ...relationKinds,
  ...bindingKinds,
  ...markupKinds,
  ...noteKinds,
  ...pageKinds,
  ...pictureKinds,
];

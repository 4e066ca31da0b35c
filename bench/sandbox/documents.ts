/** Documents for which LibreOffice reads system data, or might: what its sandbox could change. */
import type { PdfaLevel } from '../../src/shared/options/pdfa.ts';
import { benignDocx } from '../../test/attack/support/benign-pictures.ts';
import { drawings, profiledPicture } from './drawing-documents.ts';
import { sentences } from './languages.ts';
import { kindsOfList, numbersElsewhere, numbersIn } from './numbering-documents.ts';
import { autocorrected, controls, fields, proofread, scripts, signed, smartTags } from './text-documents.ts';

export interface ComparedDocument {
  readonly name: string;
  readonly content: Buffer;
  /** Target format, if not an ordinary PDF. */
  readonly pdfa?: PdfaLevel;
}

/** One document of every kind, and one of number formats per language. */
export function builtDocuments(): ComparedDocument[] {
  const languages = Object.keys(sentences);
  return [
    ...languages.map((language) => ({ name: `numbers ${language}`, content: numbersIn(language) })),
    ...['en-US', 'de-DE', 'ja-JP', 'zh-CN', 'ar-SA'].map((language) => ({
      name: `page numbers and fields ${language}`,
      content: numbersElsewhere(language),
    })),
    { name: 'kinds of list', content: kindsOfList() },
    { name: 'hyphenation and proofing', content: proofread() },
    { name: 'autocorrect and thesaurus', content: autocorrected() },
    { name: 'smart tags', content: smartTags() },
    { name: 'dates, numbers and indexes', content: fields() },
    { name: 'scripts', content: scripts() },
    { name: 'content controls, comments, changes', content: controls() },
    { name: 'formulas, charts and shapes', content: drawings() },
    { name: 'pictures of every format', content: benignDocx() },
    { name: 'a picture with a colour profile', content: profiledPicture() },
    // With an embedded colour profile.
    { name: 'the same as PDF/A', content: profiledPicture(), pdfa: '2b' },
    { name: 'signed', content: signed() },
  ];
}

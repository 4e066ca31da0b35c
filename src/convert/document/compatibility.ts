/** The mode of compatibility of a document (`compatibilityMode`, [MS-DOCX] 2.4.3): the version of Word whose layout it has. */
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from './markup.ts';

/** Of documents that name none: Word 2007's. */
const WORD_2007 = 12;

/** @param settings the part; empty where there is none. */
export function compatibilityMode(settings: string): number {
  const prefix = prefixOf(settings, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, ['compatSetting']);
  let mode = WORD_2007;
  visitMarkup(settings, {
    open(name, attributes) {
      if (!names.has(name) || attributeOf(attributes, `${prefix}name`) !== 'compatibilityMode') return;
      mode = Number.parseInt(attributeOf(attributes, `${prefix}val`) ?? '', 10) || mode;
    },
    close() {},
  });
  return mode;
}

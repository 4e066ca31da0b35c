/** Which styles of a document have a property (ISO/IEC 29500-1, 17.7). */
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from './markup.ts';

/**
 * The styles with a property, anywhere in them, by their ids, those based on others included. The defaults have an empty id.
 *
 * @param xml the part with the styles.
 * @param property the local name of its element.
 * @param isMeant gets its value.
 */
export function stylesWith(
  xml: string,
  property: string,
  isMeant: (value: string | undefined) => boolean = () => true,
): ReadonlySet<string> {
  const w = wordPrefixOf(xml);
  const names = qualified(w, ['style', 'basedOn', property]);
  const found = new Set<string>();
  const derived = new Map<string, string[]>();
  let style = '';
  visitMarkup(xml, {
    open(name, attributes) {
      const local = names.get(name);
      if (local === 'style') style = attributeOf(attributes, `${w}styleId`) ?? '';
      else if (local === property && isMeant(attributeOf(attributes, `${w}val`))) found.add(style);
      else if (local === 'basedOn') {
        const base = attributeOf(attributes, `${w}val`) ?? '';
        const others = derived.get(base);
        if (others) others.push(style);
        else derived.set(base, [style]);
      }
    },
    close() {},
  });
  // What is added meanwhile is visited as well.
  for (const base of found) for (const each of derived.get(base) ?? []) found.add(each);
  return found;
}

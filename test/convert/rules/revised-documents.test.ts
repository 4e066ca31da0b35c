/** Documents with tracked changes of all kinds, made from seeds. */
import t from 'tap';
import { hasTrackedChange, withoutChanges } from '../../../src/convert/rules/tracked-changes.ts';
import { revisedDocument, shapeOf } from '../support/revised-documents.ts';

const DOCUMENTS = 400;

for (const version of ['final', 'original'] as const) {
  t.test(`${version}: as the document that never had changes`, async (t) => {
    const different: number[] = [];
    for (let seed = 1; seed <= DOCUMENTS; seed += 1) {
      const { body, as } = revisedDocument(seed);
      const made = withoutChanges(body, version);
      if (hasTrackedChange(made) || shapeOf(made) !== shapeOf(as(version))) different.push(seed);
    }
    t.strictSame(different, []);
  });
}

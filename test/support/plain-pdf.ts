/** PDFs of plain text, as another program might write them. */

interface PlainPdfOptions {
  /** In the form of PDF dates: `D:20200102030405+08'00'`. */
  readonly created?: string | undefined;
  /** Characters to which the letters from A on are mapped, whatever they look like. */
  readonly meaning?: string;
  /** Metadata; none by default. */
  readonly xmp?: string;
  /** Operators of each page before its text (ISO 32000-1, annex A). */
  readonly operators?: readonly string[];
  /** Corners of the pages in points; A4 by default. */
  readonly mediaBox?: readonly [left: number, bottom: number, right: number, top: number];
}

/** One page per text, in Helvetica, from (72, 700) on, with lines 14 points apart. */
export function plainPdf(
  texts: readonly string[],
  { created, meaning = '', xmp, operators = [], mediaBox = [0, 0, 595, 842] }: PlainPdfOptions = {},
): Buffer {
  const names = [...meaning].map((character) => `/uni${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const kids = texts.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${xmp === undefined ? '' : ` /Metadata ${5 + 2 * texts.length} 0 R`} >>`,
    `<< /Type /Pages /Count ${texts.length} /Kids [${kids}] >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 ${names.join(' ')}] >> >>`,
    created === undefined ? '<< >>' : `<< /CreationDate (${created}) >>`,
    ...texts.flatMap((text, index) => {
      const lines = text.split('\n').map((line) => `(${line}) Tj T*`);
      const content = `${operators[index] ?? ''} BT /F1 12 Tf 14 TL 72 700 Td ${lines.join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox.join(' ')}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    ...(xmp === undefined ? [] : [`<< /Length ${xmp.length} >>\nstream\n${xmp}\nendstream`]),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

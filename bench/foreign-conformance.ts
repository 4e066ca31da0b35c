/**
 * What neither LibreOffice nor Platen writes into a PDF/A or PDF/UA, so that a PDF which has it proves nothing of the check:
 * docs/conformance.md lists it.
 */

const namesBy: readonly (readonly [reason: string, names: string])[] = [
  ['composite fonts', '/Type0 /CIDFontType0 /CIDFontType2 /CIDSet /CMap'],
  ['fonts in CFF, and multiple masters', '/FontFile3 /MMType1'],
  ['fonts with an encoding', '/WinAnsiEncoding /MacRomanEncoding /MacExpertEncoding /StandardEncoding'],
  ['spot colours, and those of printers', '/Separation /DeviceN /DeviceCMYK'],
  ['halftones and overprinting', '/HalftoneType /OPM'],
  [
    'other packings than Flate and JPEG',
    '/ASCIIHexDecode /ASCII85Decode /LZWDecode /LZW /RunLengthDecode /CCITTFaxDecode /JBIG2Decode /JPXDecode /Crypt',
  ],
  ['PostScript, and pages of other files', '/PS /OPI /Subtype2'],
  [
    'signatures, requirements and presentations',
    '/Perms /DocMDP /UR3 /Requirements /AlternatePresentations /PresSteps',
  ],
  ['programs and media', '/JavaScript /AA /Rendition /MediaClip /Movie /Sound /3D /RichMedia /Screen'],
  ['marks for printers', '/TrapNet /PrinterMark'],
  ['forms in XFA', '/XFA'],
  ['profiles outside of the file', '/DestOutputProfileRef'],
];

/** Why files do not have a name, by that. */
export const foreignNames: ReadonlyMap<string, string> = new Map(
  namesBy.flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason] as const)),
);

const ADOBE = 'http://ns\\.adobe\\.com/';

/** Properties of XMP, by namespace and name, that are no metadata of documents. */
export const foreignProperties = new RegExp(
  [
    `^${ADOBE}(exif|tiff|photoshop|camera|pdfx|xmp)`,
    `^${ADOBE}xap/1\\.0/(rights|bj|t/pg|sType|g)`,
    `^${ADOBE}xap/1\\.0/mm/(?!DocumentID|InstanceID)`,
    `^${ADOBE}xap/1\\.0/(?!mm/|CreateDate|CreatorTool|MetadataDate|ModifyDate)`,
    `^${ADOBE}pdf/1\\.3/(?!Keywords|PDFVersion|Producer)`,
    '^http://www\\.aiim\\.org/pdfa/ns/id/(amd|corr)',
  ].join('|'),
);

/** Tests of the veraPDF corpus, by standard, clause, number and instance. */
export const foreignTests: readonly (readonly [tests: RegExp, reason: string])[] = [
  [/^(1b|2b) 6\.1\.6-t01/, 'hexadecimal strings with a digit too few'],
  [/^1b 6\.1\.12-t02-(fail-[ef]|pass-k)/, 'numbers with a fraction of zeros, or of thousands of digits'],
  [/^1b 6\.1\.2-t01-pass-a/, 'PDF 2.0 as PDF/A-1'],
  [/^2b 6\.6\.2\.3\.2-t01-pass-c/, 'blanks before the cross-references'],
  [/^(2b 6\.8|4 6\.9)-/, 'attachments in other levels than 3b'],
  [/^3b 6\.8-t02-pass-g/, 'relations of attachments that are no option'],
  [/^4 6\.2\.(3-t05|9-t01-pass-[cd]|4\.3-t04|4\.5-t01-pass-e)/, 'colours that a page or group explains'],
  [/^4 6\.2\.4\.2-t03/, 'colours of printers with a profile'],
  [/^4 6\.2\.9-t02-fail-c/, 'blend modes of annotations'],
];

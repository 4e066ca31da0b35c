/**
 * Options that exclude or need each other. Whatever is not listed here can be combined. The guide's table and the tests
 * are made of this one.
 */
import { type AllOptions, FACTURX_NAME } from './conversion-options.ts';

type OptionName = keyof AllOptions;

export interface Rule {
  /** Whether the options break it. */
  readonly isBroken: (options: AllOptions) => boolean;
  /** The options that it is about; the first is the one to leave out. */
  readonly options: readonly [OptionName, ...OptionName[]];
  /** Says what to send instead. */
  readonly message: string;
}

const isEncrypted = ({ userPassword, ownerPassword }: AllOptions): boolean =>
  userPassword !== undefined || ownerPassword !== undefined;

/** An option that says something about another one. */
function needs(
  option: OptionName,
  other: OptionName,
  isMet: (options: AllOptions) => boolean,
  value?: string,
): Rule {
  return {
    isBroken: (options) => options[option] !== undefined && !isMet(options),
    options: [option, other],
    message: `${option} needs ${value === undefined ? other : `${other}=${value}`}. Send both, or leave ${option} out.`,
  };
}

const has =
  (option: OptionName) =>
  (options: AllOptions): boolean =>
    options[option] !== undefined;

/** Options that a picture does not show. */
const ofTheFile = [
  ...([
    'pdfa',
    'pdfua',
    'bookmarks',
    'tagged',
    'title',
    'author',
    'subject',
    'keywords',
    'linearize',
  ] as const),
  ...([
    'allow',
    'userPassword',
    'ownerPassword',
    'attachments',
    'attachmentRelationship',
    'facturx',
  ] as const),
] as const;

export const rules: readonly Rule[] = [
  ...(['page', 'width', 'background'] as const).map((option) =>
    needs(option, 'format', ({ format }) => format === 'png', 'png'),
  ),
  ...ofTheFile.map(
    (option): Rule => ({
      isBroken: (options) => options.format === 'png' && options[option] !== undefined,
      options: [option, 'format'],
      message: `A picture does not show ${option}, which the file of the PDF has. Leave ${option} or format out.`,
    }),
  ),
  ...(['userPassword', 'ownerPassword'] as const).map(
    (password): Rule => ({
      isBroken: (options) => options[password] !== undefined && options.pdfa !== undefined,
      options: [password, 'pdfa'],
      message: `A PDF/A must not be encrypted (ISO 19005). Leave ${password} or pdfa out.`,
    }),
  ),
  {
    isBroken: ({ pdfa, pdfua }) => pdfua === true && (pdfa === '1b' || pdfa === '4'),
    options: ['pdfua', 'pdfa'],
    message:
      'PDF/UA-1, PDF/A-1 and PDF/A-4 need different versions of PDF. Use pdfa=2b or pdfa=3b with pdfua.',
  },
  {
    isBroken: ({ pdfa, linearize }) => linearize === true && pdfa !== undefined,
    options: ['linearize', 'pdfa'],
    // One in some 250 hint streams of qpdf has no line end (ISO 19005-1, 6.1.7).
    message:
      'A linearized PDF/A may be invalid, and archives ignore the order of objects. Leave linearize or pdfa out.',
  },
  ...(['pdfa', 'pdfua'] as const).map(
    (standard): Rule => ({
      isBroken: (options) => options.tagged === false && Boolean(options[standard]),
      options: ['tagged', standard],
      message: `With ${standard}, the PDF is always tagged. Leave tagged or ${standard} out.`,
    }),
  ),
  {
    isBroken: ({ comments, pdfa }) => comments === 'annotations' && pdfa !== undefined,
    options: ['comments', 'pdfa'],
    message:
      'LibreOffice writes comments without the appearance and the flags that PDF/A requires (ISO 19005-1, 6.5.3; -2 and -3, 6.3). ' +
      'Leave comments or pdfa out.',
  },
  {
    isBroken: ({ comments, pdfua }) => comments === 'annotations' && pdfua === true,
    options: ['comments', 'pdfua'],
    message:
      'LibreOffice does not put comments into the structure that PDF/UA requires (ISO 14289-1, 7.18.1). Leave comments or pdfua out.',
  },
  {
    isBroken: ({ formFields, pdfa }) => formFields === true && pdfa !== undefined,
    options: ['formFields', 'pdfa'],
    message:
      'LibreOffice writes form fields with actions, without embedded fonts and without drawn values, and PDF/A allows none of ' +
      'these (ISO 19005-1, 6.3.4, 6.6.2, 6.9; -2 and -3, 6.2.11.4, 6.4.1). Leave formFields or pdfa out.',
  },
  {
    isBroken: ({ attachments, pdfa }) => Boolean(attachments?.length) && pdfa !== undefined && pdfa !== '3b',
    options: ['attachments', 'pdfa'],
    message: 'Only level 3b of PDF/A may have attachments of any kind (ISO 19005-3). Use pdfa=3b.',
  },
  needs('imageQuality', 'images', ({ images }) => images === 'jpeg', 'jpeg'),
  needs('watermarkColor', 'watermark', has('watermark')),
  needs('watermarkSize', 'watermark', has('watermark')),
  needs('watermarkAngle', 'watermark', has('watermark')),
  {
    ...needs('allow', 'ownerPassword', has('ownerPassword')),
    message:
      'allow needs ownerPassword: without one, everybody who opens the PDF may do everything. Send both, or leave allow out.',
  },
  {
    isBroken: (options) => isEncrypted(options) && options.userPassword === options.ownerPassword,
    options: ['ownerPassword', 'userPassword'],
    message:
      'userPassword and ownerPassword are the same, so every reader would have all rights. Send different passwords.',
  },
  needs('attachmentRelationship', 'attachments', ({ attachments }) => Boolean(attachments?.length)),
  needs('facturx', 'pdfa', ({ pdfa }) => pdfa === '3b', '3b'),
  {
    isBroken: ({ facturx, attachments }) =>
      facturx !== undefined && !attachments?.some(({ name }) => name === FACTURX_NAME),
    options: ['facturx', 'attachments'],
    message: `facturx needs an attachment named ${FACTURX_NAME}. Add the invoice under that name, or leave facturx out.`,
  },
];

/**
 * The first rule that the options break; undefined if they can be combined.
 *
 * @param concerns the rules to check.
 */
export function brokenRule(options: AllOptions, concerns: (rule: Rule) => boolean): Rule | undefined {
  return rules.find((rule) => concerns(rule) && rule.isBroken(options));
}

/** Flags of a command for the options of the API, made of their schema, so that a new option is a new flag. */
import { Option } from 'commander';
import { options, pageNumbers } from '../../http/conversion/options.contract.ts';
import { isDefault, secretFields } from '../../shared/options/conversion-options.ts';
import type { RawRequest } from './request.ts';

const DIGITS = /^\d{1,9}$/;

/** The part of an option's schema that shapes its flags. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
}

const numbering: Schema = pageNumbers;
const schemas = Object.entries<Schema>({
  ...options,
  pageNumbers: { ...numbering, description: `Of --combine. ${numbering.description}` },
});

/** `imageQuality` is `--image-quality`. */
const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Name of the value of the flag that reads a secret. */
const fileOf = (name: string): string => `${name}File`;

/** The flags of all options, of the form's passwords, and of attachments. */
export function optionFlags(): Option[] {
  return [
    ...schemas.flatMap(([name, schema]) => flagsFor(name, schema)),
    ...secretFields.map(
      (name) =>
        new Option(
          `--${flagOf(name)}-file <file>`,
          `file with the ${name}: others on this machine see what a command line has`,
        ),
    ),
    new Option('--attachment <file>', 'file to embed in each PDF; may be repeated')
      .argParser((path: string, others: readonly string[]) => [...others, path])
      .default([], 'none'),
  ];
}

/** What a description says beside of plans. They are of a service, whose answer says the same. */
export const withoutPlans = (text: string): string =>
  text.replaceAll(/ ?[^.]*\b(?:Feature|plan)\b[^.]*\./g, '').replaceAll(', and is not billed', '');

function flagsFor(name: string, { type, enum: values, description = '' }: Schema): Option[] {
  const flag = flagOf(name);
  const text = withoutPlans(description).replaceAll('`', '');
  if (type !== 'boolean') {
    const value = type === 'integer' && !values ? 'number' : (values?.join('|') ?? 'text');
    return [new Option(`--${flag} <${value}>`, text)];
  }
  // A flag for the default is accepted, but hidden from the help.
  const [isOn, isOff] = [isDefault(name, true), isDefault(name, false)];
  const negated = isOn ? `${name}=false. ${text}` : `${name}=false.`;
  return [new Option(`--${flag}`, text).hideHelp(isOn), new Option(`--no-${flag}`, negated).hideHelp(isOff)];
}

/** Names of options as messages refer to them: alone, or with a value. */
const names = [...schemas.map(([name]) => name), ...secretFields, 'attachments'];
const oneOf = (all: readonly string[]) => `(${all.join('|')})`;
const mentions = [
  new RegExp(`\\b${oneOf(names)}=([^\\s,.;]+)`, 'g'),
  new RegExp(`\\b${oneOf(names.filter((name) => /[A-Z]/.test(name)))}\\b`, 'g'),
  // Other names are also ordinary words.
  new RegExp(`^${oneOf(names)}(?= (?:must|needs|has) )`, 'g'),
  new RegExp(`(?<=\\b(?:[Ll]eave|[Ww]ith) )${oneOf(names)}(?=[,.]| or | out\\b)`, 'g'),
  new RegExp(`(?<= or )${oneOf(names)}(?= out\\b)`, 'g'),
];

/** A message of the API with the flags that stand for options: `imageQuality needs images=jpeg` names two. */
export function inFlags(message: string): string {
  return mentions.reduce(
    (text, mention) => text.replace(mention, (_, name: string, value?: string) => mentioned(name, value)),
    message,
  );
}

/** A flag as a command line has it, with a value or without. */
function mentioned(name: string, value: string | number | undefined): string {
  if (name === 'attachments') return '--attachment';
  if ((secretFields as readonly string[]).includes(name)) return `--${flagOf(name)}-file`;
  const flag = flagOf(name);
  if (value === 'false') return `--no-${flag}`;
  return typeof value === 'string' && value !== 'true' ? `--${flag} ${value}` : `--${flag}`;
}

/** What the flags ask for. @param values by the names that Commander gives to flags. */
export function readFlags(values: Readonly<Record<string, unknown>>): RawRequest {
  const given = schemas.filter(([name]) => values[name] !== undefined);
  const secrets = secretFields.filter((name) => values[fileOf(name)] !== undefined);
  return {
    options: Object.fromEntries(
      given.map(([name, { type }]) => {
        const value = values[name];
        return [name, type === 'integer' && DIGITS.test(String(value)) ? Number(value) : value];
      }),
    ),
    secretFiles: Object.fromEntries(secrets.map((name) => [name, String(values[fileOf(name)])])),
    attachments: values.attachment as readonly string[],
  };
}

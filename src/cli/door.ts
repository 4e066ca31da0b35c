/** The command line as a door: a command for an operation, with flags of its schemas, and help of what it says. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Static, TObject, TSchema } from 'typebox';
import { type DeepReadonly, type Operation, perform } from '../operations/operation.ts';
import { type CommandRole, command, print, withOperations } from './command.ts';
import { readTime } from './times.ts';

/** What a command has in its own words. */
interface Wording<Answer extends TSchema> {
  /** What it does; by default what the operation says, which may speak of fields and codes of HTTP. */
  readonly does?: string;
  /** Flags that are not called as their field: `{ expiresAt: 'expires' }`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields of the query or the body that are arguments, and how they are read. */
  readonly arguments?: Readonly<Record<string, (text: string) => unknown>>;
  /** Flags without a value that stand for fields of the body. */
  readonly presets?: Readonly<Record<string, readonly [help: string, fields: Values]>>;
  /** Fields of the body that it sets itself, so that they are no flags. */
  readonly sets?: Values;
  /** `guest`: it may create the data of a new service. */
  readonly data?: CommandRole;
  /** What `--json` prints; the answer by default. */
  json?(answer: DeepReadonly<Static<Answer>>): unknown;
  /** The answer for people. */
  lines(answer: DeepReadonly<Static<Answer>>): readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** A field of a query or a body; its type decides how a flag is read. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Field;
  readonly format?: string;
  readonly pattern?: string;
  /** What fits the pattern, in words. Without them, the operation says what is wrong. */
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

const places = ['params', 'query', 'body'] as const;

/** A command for an operation. @param name its last word. */
export function commandFor<Answer extends TSchema>(
  name: string,
  operation: Operation<TObject, TObject, TObject, Answer>,
  { does, flags = {}, arguments: readers = {}, presets = {}, sets = {}, data, json, lines }: Wording<Answer>,
): Command {
  const [summary, description] = operation.says;
  const { without = [] } = operation.operator ?? {};
  const made = command(name, plain(`${summary}. ${does ?? description}`)).summary(`${summary}.`);
  if (operation.account === 'body') made.requiredOption('--account <id>', 'Id of the account.');
  if (operation.account === 'path') made.argument('<id>', 'Id of the account.');
  const fields = places.flatMap((place) => {
    const { properties = {}, required = [] } = operation[place] ?? {};
    return Object.entries(properties as Record<string, Field>).map(([field, schema]) => ({
      ...{ place, field, schema, isRequired: (required as readonly string[]).includes(field) },
      isArgument: place === 'params' || field in readers,
    }));
  });

  const positional = fields.filter(({ isArgument }) => isArgument);
  for (const { place, field, schema } of positional) {
    const { enum: words, description = '' } = schema;
    const argument = new Argument(
      place === 'params' && !words ? `<${field}-id>` : `<${field}>`,
      plain(description),
    );
    if (words) argument.choices(words);
    made.addArgument(readers[field] ? argument.argParser(readers[field]) : argument);
  }
  const optional = fields
    .filter(({ isArgument, field }) => !isArgument && !(field in sets) && !without.includes(field))
    .map(({ isRequired, ...each }) => {
      const option = optionFor(flags[each.field] ?? each.field, each.schema).makeOptionMandatory(isRequired);
      const rivals = Object.entries(presets).filter(([, [, stands]]) => each.field in stands);
      made.addOption(option.conflicts(rivals.map(([flag]) => flag)));
      return { ...each, attribute: option.attributeName() };
    });
  for (const [flag, [help]] of Object.entries(presets)) made.option(`--${flag}`, help);

  return made.action(async (...all: unknown[]) => {
    const [named, ...others] = all;
    const given = operation.account === 'path' ? others : all;
    const values = given[positional.length] as Values;
    const input: Record<(typeof places)[number], Record<string, unknown>> = {
      params: {},
      query: {},
      body: { ...sets },
    };
    positional.forEach(({ place, field }, index) => {
      input[place][field] = given[index];
    });
    for (const { place, field, attribute } of optional) {
      if (values[attribute] !== undefined) input[place][field] = values[attribute];
    }
    for (const [flag, [, stands]] of Object.entries(presets))
      if (values[flag]) Object.assign(input.body, stands);
    const account = (operation.account === 'path' ? named : values.account) as string | undefined;
    const answer = await withOperations(
      (services, caller) => perform(operation, services, caller, { ...input, account }),
      data,
    );
    print(values.json === true, json ? json(answer) : answer, lines(answer));
  });
}

/** A flag for a field. What its reader refuses is bad usage. */
function optionFor(name: string, field: Field): Option {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const text = plain(field.description ?? '');
  const { type, format, items, enum: words } = field;
  if (words) return new Option(`${flag} <${words.join('|')}>`, text).choices(words);
  if (items?.enum) {
    const { enum: known } = items;
    return new Option(`${flag} <list>`, `${text} Comma-separated, of ${known.join(', ')}.`).argParser(
      (list) => list.split(',').map((word) => oneOf(known, word.trim())),
    );
  }
  if (items) {
    return new Option(`${flag} <text>`, `${text} May be repeated.`).argParser(
      (value: string, others: readonly string[] = []) => [...others, value],
    );
  }
  if (type === 'integer')
    return new Option(`${flag} <number>`, text).argParser((value) => whole(field, value));
  if (format === 'date-time')
    return new Option(`${flag} <time>`, text).argParser((value) => readTime(value).toISOString());
  return new Option(`${flag} <text>`, text).argParser((value) => fitting(field, value));
}

function oneOf(words: readonly string[], word: string): string {
  if (!words.includes(word)) throw new InvalidArgumentError(`Choose from ${words.join(', ')}.`);
  return word;
}

function fitting({ pattern = '', title }: Field, text: string): string {
  if (title !== undefined && !new RegExp(pattern).test(text)) throw new InvalidArgumentError(`Use ${title}.`);
  return text;
}

function whole({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Field, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < minimum || number > maximum) {
    throw new InvalidArgumentError(`Use a whole number from ${minimum} to ${maximum}.`);
  }
  return number;
}

/** Descriptions are Markdown. */
const plain = (text: string): string => text.replaceAll('`', '');

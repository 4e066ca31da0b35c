/** The command line as a door: a command for an operation, with flags of its schemas, and help of what it says. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Static, TObject, TSchema } from 'typebox';
import { type DeepReadonly, type Operation, perform } from '../operations/operation.ts';
import type { OperationServices } from '../operations/services.ts';
import { command, print } from './command.ts';
import { type CommandRole, withOperations } from './service-data.ts';
import { readTime } from './times.ts';

/** What a command has in its own words. @typeParam Shown what it prints. */
interface Wording<Shown> {
  /** What it does; by default what the operation says, which may speak of fields and codes of HTTP. */
  readonly does?: string;
  /** The flag that names the account of an operation below one; by default that is an argument. */
  readonly account?: Option;
  /** Flags that are not called as their field: `{ expiresAt: 'expires' }`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields of the query or the body that are arguments, and how they are read; also of parameters that are read in another way. */
  readonly arguments?: Readonly<Record<string, (text: string) => unknown>>;
  /** Flags without a value that stand for fields of the body. */
  readonly presets?: Readonly<Record<string, readonly [help: string, fields: Values]>>;
  /** Fields that it sets itself, so that they are no flags. */
  readonly sets?: Values;
  /** Flags that no field has, for its task. */
  readonly own?: readonly Option[];
  /** Fields that its task can do without. */
  readonly optional?: readonly string[];
  /** `guest`: it may create the data of a new service. */
  readonly data?: CommandRole;
  /** What `--json` prints; what is shown by default. */
  json?(shown: Shown): unknown;
  /** What is shown, for people. */
  lines(shown: Shown): readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** What operations are sent. */
interface Sent {
  readonly account?: string | undefined;
  readonly params: Values;
  readonly query: Values;
  readonly body: Values;
}

export type Asked<Answer extends TSchema> = Operation<TObject, TObject, TObject, Answer>;

/** What a command works with. */
export interface Work {
  /** Performs an operation as the operator, on a port of this machine if links need one. @throws OperatorError */
  readonly ask: <Answer extends TSchema>(
    operation: Asked<Answer>,
    sent: Sent,
    port?: number,
  ) => Promise<DeepReadonly<Static<Answer>>>;
  /** What its operation is sent. */
  readonly sent: Sent;
  /** Values of its own flags. */
  readonly own: Readonly<Record<string, string | undefined>>;
  readonly services: OperationServices;
}

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

/** Fields of lists that have pages, which a command reads one after the other. */
const paging = ['after', 'limit'];

const places = ['params', 'query', 'body'] as const;

/** Flag: the account whose things a command is about. */
export const ofAccount = (): Option =>
  new Option('--account <id>', 'Id of the account.').makeOptionMandatory();

/** A command for an operation. @param name its last word. */
export function commandFor<Answer extends TSchema>(
  name: string,
  operation: Asked<Answer>,
  wording: Wording<DeepReadonly<Static<Answer>>>,
): Command {
  return commandThat(({ ask, sent }) => ask(operation, sent), name, operation, wording);
}

/** A command with the flags and the help of an operation that does a task, such as calling another one as well. */
export function commandThat<Shown, Answer extends TSchema>(
  task: (work: Work) => Promise<Shown>,
  name: string,
  operation: Asked<Answer>,
  wording: Wording<Shown>,
): Command {
  const { does, account: byFlag, flags = {}, arguments: readers = {}, presets = {}, sets = {} } = wording;
  const { own = [], optional = [], data, json, lines } = wording;
  const [summary, description] = operation.says;
  const hidden = [
    ...(operation.operator?.without ?? []),
    ...(operation.query?.properties.after ? paging : []),
  ];
  const isArgued = operation.account === 'path' && !byFlag;
  const made = command(name, plain(`${summary}. ${does ?? description}`)).summary(`${summary}.`);
  const account = byFlag ?? (operation.account === 'body' ? ofAccount() : undefined);
  if (account) made.addOption(account);
  if (isArgued) made.argument('<id>', 'Id of the account.');
  const fields = places.flatMap((place) => {
    const { properties = {}, required = [] } = operation[place] ?? {};
    const shown = Object.entries(properties as Record<string, Field>).filter(
      ([field]) => !hidden.includes(field),
    );
    return shown.map(([field, schema]) => {
      if (field in sets) return { place, field, read: () => sets[field] };
      if (place === 'params' || field in readers) {
        const index = made.registeredArguments.length;
        made.addArgument(argumentFor(place, field, schema, readers[field]));
        return { place, field, read: (_: Values, given: readonly unknown[]) => given[index] };
      }
      const option = optionFor(flags[field] ?? field, schema);
      option.makeOptionMandatory(
        (required as readonly string[]).includes(field) && !optional.includes(field),
      );
      const rivals = Object.entries(presets).filter(([, [, stands]]) => field in stands);
      made.addOption(option.conflicts(rivals.map(([flag]) => flag)));
      return { place, field, read: (values: Values) => values[option.attributeName()] };
    });
  });
  for (const [flag, [help]] of Object.entries(presets)) made.option(`--${flag}`, help);
  for (const option of own) made.addOption(option);

  return made.action(async (...given: unknown[]) => {
    const values = given.at(-2) as Record<string, string | undefined>;
    const input: Record<(typeof places)[number], Record<string, unknown>> = {
      params: {},
      query: {},
      body: {},
    };
    for (const { place, field, read } of fields) {
      const value = read(values, given);
      if (value !== undefined) input[place][field] = value;
    }
    for (const [flag, [, stands]] of Object.entries(presets))
      if (values[flag]) Object.assign(input.body, stands);
    const sent = { ...input, account: isArgued ? String(given[0]) : values.account };
    const shown = await withOperations((services, caller) => {
      const ask: Work['ask'] = (asked, to, port) =>
        perform(asked, services, { ...caller, port: port ?? null }, to);
      return task({ ask, sent, own: values, services });
    }, data);
    print(Boolean(values.json), json ? json(shown) : shown, lines(shown));
  });
}

/** The first entries of a list that has pages, or all. */
export async function everyPage<Answer extends TSchema, Entry>(
  { ask }: Work,
  operation: Asked<Answer>,
  sent: Sent,
  entriesOf: (page: DeepReadonly<Static<Answer>>) => readonly Entry[],
  most = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const { maximum = most }: Field = operation.query?.properties.limit ?? {};
  const entries: Entry[] = [];
  let after: string | null | undefined;
  while (after !== null && entries.length < most) {
    const page = await ask(operation, {
      ...sent,
      query: { ...sent.query, after, limit: Math.min(maximum, most) },
    });
    entries.push(...entriesOf(page));
    after = (page as { readonly next: string | null }).next;
  }
  return entries.slice(0, most);
}

function argumentFor(
  place: string,
  field: string,
  { enum: words, description = '' }: Field,
  reader: ((text: string) => unknown) | undefined,
): Argument {
  const isId = place === 'params' && !words && field !== 'id';
  const argument = new Argument(isId ? `<${field}-id>` : `<${field}>`, plain(description));
  // Its choices are a parser, too.
  if (words) return argument.choices(words);
  return reader ? argument.argParser(reader) : argument;
}

/** A flag for a field. What its reader refuses is bad usage. */
function optionFor(name: string, field: Field): Option {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const text = plain(field.description ?? '');
  const { type, format, items, enum: words } = field;
  if (words) return new Option(`${flag} <${name}>`, text).choices(words);
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

/** @throws InvalidArgumentError */
export function whole({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Field, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < minimum || number > maximum) {
    throw new InvalidArgumentError(`Use a whole number from ${minimum} to ${maximum}.`);
  }
  return number;
}

/** Descriptions are Markdown. */
const plain = (text: string): string => text.replaceAll('`', '');

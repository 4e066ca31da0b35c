/** A new key as it is typed, and its validation. The service validates it again. */
import { MAX_ORIGINS, mistakeInOrigin } from '../../shared/page-origin.ts';
import type { Environment, Key, KeyType, Permission } from './api-types.ts';
import { localOf } from './parts/fields.tsx';
import { secretIn } from './words.ts';

/** What each allows, in a sentence. */
export const permissionTexts: Readonly<Record<Permission, string>> = {
  convert: 'Convert a document, and ask what became of it.',
  jobs: 'Convert documents in the background, and fetch their PDFs.',
  webhooks: 'Set up endpoints that get messages, and send messages again.',
  usage: 'Read what the account has used, and what is left.',
  rotate: 'Replace itself with a new key, such as every month.',
};

export const allPermissions = Object.keys(permissionTexts) as readonly Permission[];

/** How long a new key is suggested to work. */
const SUGGESTED_DAYS = 365;

/** A suggested end, as its input has it. */
export function suggestedEnd(now = Date.now()): string {
  return localOf(new Date(now + SUGGESTED_DAYS * 86_400_000).toISOString());
}

export interface KeyForm {
  /** Null: that of who is signed in. */
  readonly account: string | null;
  readonly name: string;
  readonly environment: Environment;
  readonly type: KeyType;
  readonly permissions: readonly Permission[];
  /** Separated by commas, spaces or lines. */
  readonly ipRestrictions: string;
  /** Likewise; only a pk key gets them. */
  readonly origins: string;
  /** Value of `datetime-local`, in the viewer's zone; empty: never. */
  readonly expiresAt: string;
}

/** Errors by field. */
type Mistakes = Partial<Record<keyof KeyForm, string>>;

const MAX_NAME = 200;
const MAX_RESTRICTIONS = 100;

export function mistakesIn(form: KeyForm, now = Date.now()): Mistakes {
  const mistakes: Mistakes = {};
  if (form.account?.trim() === '') mistakes.account = 'Say whose key it is: the id of the account.';
  else if (secretIn(form.account ?? '')) mistakes.account = 'That is a key, not the id of an account.';
  if (form.name.trim() === '') mistakes.name = 'Give it a name by which you will know it.';
  else if (form.name.length > MAX_NAME) mistakes.name = `At most ${MAX_NAME} characters.`;
  if (form.permissions.length === 0) mistakes.permissions = 'Choose at least one.';
  const wrong = mistakeInRestrictions(form.ipRestrictions);
  if (wrong !== undefined) mistakes.ipRestrictions = wrong;
  const strange = form.type === 'pk' ? mistakeInOrigins(form.origins) : undefined;
  if (strange !== undefined) mistakes.origins = strange;
  if (form.expiresAt !== '' && !(Date.parse(form.expiresAt) > now)) {
    mistakes.expiresAt = 'That is not in the future.';
  }
  return mistakes;
}

/** The body of the request; omitted fields get their defaults. */
export function bodyOf(form: KeyForm): Readonly<Record<string, unknown>> {
  const { environment, type, permissions, expiresAt } = form;
  const ipRestrictions = listIn(form.ipRestrictions);
  const origins = type === 'pk' ? listIn(form.origins) : [];
  return {
    ...(form.account !== null && { account: form.account.trim() }),
    name: form.name.trim(),
    environment,
    type,
    permissions,
    ...(ipRestrictions.length > 0 && { ipRestrictions }),
    ...(origins.length > 0 && { origins }),
    ...(expiresAt !== '' && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/**
 * The body of the request that edits a key: only what differs from the key that is shown, so that what somebody else has
 * changed since stays.
 *
 * @param typed as in the form of a new key.
 */
export function editsOf(
  shown: Pick<Key, 'name' | 'ipRestrictions' | 'origins'>,
  typed: Pick<KeyForm, 'name' | 'ipRestrictions' | 'origins'>,
): Partial<Pick<Key, 'name' | 'ipRestrictions' | 'origins'>> {
  const name = typed.name.trim();
  const ipRestrictions = listIn(typed.ipRestrictions);
  const origins = listIn(typed.origins);
  return {
    ...(name !== shown.name.trim() && { name }),
    ...(ipRestrictions.join() !== shown.ipRestrictions.join() && { ipRestrictions }),
    ...(origins.join() !== shown.origins.join() && { origins }),
  };
}

/** What a type may hold. */
export function permissionsOf(type: KeyType): readonly Permission[] {
  return type === 'pk' ? ['convert'] : allPermissions;
}

/** @param text items, separated by commas, spaces or lines. */
function listIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** @param text as above. */
export function mistakeInRestrictions(text: string): string | undefined {
  const restrictions = listIn(text);
  const wrong = restrictions.find((each) => !isAddressOrBlock(each));
  if (wrong !== undefined) return `“${wrong}” is neither an IP address nor a CIDR block.`;
  return restrictions.length > MAX_RESTRICTIONS ? `At most ${MAX_RESTRICTIONS}.` : undefined;
}

/** @param text origins, as above. */
export function mistakeInOrigins(text: string): string | undefined {
  const origins = listIn(text);
  const mistake = origins.map(mistakeInOrigin).find((each) => each !== undefined);
  if (mistake !== undefined) return `${mistake}.`;
  return origins.length > MAX_ORIGINS ? `At most ${MAX_ORIGINS}.` : undefined;
}

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/');
  const max = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined;
  if (max === undefined || others.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max);
}

function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Uses the browser's URL parser, which knows all notations of addresses. */
function isIPv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`);
}

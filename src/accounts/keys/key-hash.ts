/** A key as a hash in Redis. */
import type { Environment, KeyType } from './format.ts';
import { parseMaker } from './maker.ts';
import type { KeyRecord, Permission } from './records.ts';
import { blockPrefix } from './restrictions.ts';

const times = ['expiresAt', 'createdAt', 'lastUsedAt', 'revokedAt'] as const;

/**
 * The fields of a key's hash: lists separated by spaces, times in milliseconds since the epoch, as scripts read them; null
 * fields are left out.
 */
export function serialiseKey(record: KeyRecord): Record<string, string | number> {
  const { permissions, ipRestrictions, origins, madeBy, ...rest } = record;
  const fields = Object.entries(rest).filter((field): field is [string, string] => field[1] !== null);
  const isTime = (name: string) => times.some((time) => time === name);
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, isTime(name) ? Date.parse(value) : value])),
    permissions: permissions.join(' '),
    ...serialiseRestrictions(ipRestrictions),
    origins: origins.join(' '),
    ...(madeBy && { madeBy: JSON.stringify(madeBy) }),
  };
}

/** As they are shown, and as the script of the admission compares them. */
export function serialiseRestrictions(ipRestrictions: readonly string[]) {
  return {
    ipRestrictions: ipRestrictions.join(' '),
    addressPrefixes: ipRestrictions.map(blockPrefix).join(' '),
  };
}

/** Reads a key from its hash; undefined if there is none. */
export function parseKeyHash(fields: Record<string, string>): KeyRecord | undefined {
  if (fields.id === undefined) return undefined;
  const text = (name: keyof KeyRecord): string => fields[name] ?? '';
  const list = (name: keyof KeyRecord): string[] => text(name).split(' ').filter(Boolean);
  const time = (name: (typeof times)[number]): string | null =>
    fields[name] === undefined ? null : new Date(Number(fields[name])).toISOString();
  return {
    id: text('id'),
    account: text('account'),
    name: text('name'),
    environment: text('environment') as Environment,
    type: text('type') as KeyType,
    display: text('display'),
    permissions: list('permissions') as Permission[],
    ipRestrictions: list('ipRestrictions'),
    origins: list('origins'),
    expiresAt: time('expiresAt'),
    createdAt: time('createdAt') ?? '',
    lastUsedAt: time('lastUsedAt'),
    lastUsedAddress: fields.lastUsedAddress ?? null,
    revokedAt: time('revokedAt'),
    successor: fields.successor ?? null,
    family: fields.family ?? null,
    madeBy: parseMaker(fields.madeBy),
  };
}

/** Creating a key. What is wrong is said while it is typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { change, pathOf } from '../api.ts';
import type { Account, CreatedKey, Environment, KeyType } from '../api-types.ts';
import { useAction } from '../hooks.ts';
import {
  allPermissions,
  bodyOf,
  type KeyForm,
  mistakesIn,
  permissionsOf,
  permissionTexts,
  suggestedEnd,
} from '../key-form.ts';
import { AccountInput, useOwner } from '../parts/account-input.tsx';
import { Submit } from '../parts/button.tsx';
import { CreatedKeyNote } from '../parts/created-key.tsx';
import { useEnvironment } from '../parts/environment.tsx';
import { Field, LinesField, Options, TextField, TimeField } from '../parts/fields.tsx';
import { Heading } from '../parts/heading.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { HOME, navigate } from '../router.ts';
import { formatUtc } from '../words.ts';

const environments: readonly (readonly [Environment, string])[] = [
  ['test', 'never billed; 100 requests an hour of its own'],
  ['live', 'billed, and counted against the quota of the account'],
];
const types: readonly (readonly [KeyType, string])[] = [
  ['sk', 'secret: for a back end'],
  ['pk', 'public: others may read it, as in a page; it can only convert'],
];

/** @param account whose key it is; null: of the account of who is signed in. */
export function NewKey({ account }: { account: string | null }) {
  const draft = useDraft(account);
  const { created } = draft;
  if (!created) {
    const back = account ? `${HOME}/accounts/${encodeURIComponent(account)}` : `${HOME}/keys`;
    return <KeyDraft {...draft} back={back} />;
  }
  const done = () => {
    draft.clear();
    navigate(account === null ? `${HOME}/keys` : `${HOME}/accounts/${encodeURIComponent(created.account)}`);
  };
  return (
    <main>
      <Heading title="Key created" />
      <CreatedKeyNote created={created} withExample={account === null} done={done} />
    </main>
  );
}

/** A key as it is filled in, its mistakes, and the key that is made of it. */
function useDraft(account: string | null) {
  const [form, setForm] = useState<KeyForm>({
    account,
    name: '',
    environment: 'test',
    type: 'sk',
    permissions: ['convert'],
    ipRestrictions: '',
    origins: '',
    expiresAt: suggestedEnd(),
  });
  /** The fields that the operator has been in. */
  const [touched, setTouched] = useState<readonly (keyof KeyForm)[]>([]);
  const owner = useOwner(form.account ?? '');
  const mistakes = {
    ...mistakesIn(form),
    ...(owner === 'unknown' && { account: 'There is no such account.' }),
  };
  const mistakeOf = (field: keyof KeyForm) => (touched.includes(field) ? mistakes[field] : undefined);
  const edit = (changes: Partial<KeyForm>) => {
    setForm((before) => ({ ...before, ...changes }));
    setTouched((before) => [...new Set([...before, ...(Object.keys(changes) as (keyof KeyForm)[])])]);
  };
  const { create, ...creation } = useCreation();
  const submit = async (event: Event) => {
    event.preventDefault();
    const fields = Object.keys(form) as (keyof KeyForm)[];
    setTouched(fields);
    const first = fields.find((field) => field in mistakes);
    if (first === undefined) await create(form);
    else (event.currentTarget as HTMLFormElement).querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  return { form, owner, mistakeOf, edit, submit, ...creation };
}

function useCreation() {
  const [created, setCreated] = useState<CreatedKey>();
  const { isBusy, failure, run } = useAction();
  const isLeft = useRef(false);
  const choice = useEnvironment();
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const create = (form: KeyForm) =>
    run(async () => {
      const made = await change<CreatedKey>('POST', '/keys', bodyOf(form));
      // Nobody has seen it, and nobody can any more.
      if (isLeft.current) await change('POST', `${pathOf('keys', made.id)}/revoke`);
      else {
        setCreated(made);
        choice?.choose(made.environment);
      }
    });
  return { created, isBusy, failure, create, clear: () => setCreated(undefined) };
}

type Draft = ReturnType<typeof useDraft>;

function KeyDraft({ form, owner, mistakeOf, edit, submit, isBusy, failure, back }: Draft & { back: string }) {
  return (
    <main>
      <Heading title="Create a key" />
      <form class="form" onSubmit={submit} noValidate>
        {form.account !== null && (
          <Field
            title="Account"
            mistake={mistakeOf('account')}
            hint={typeof owner === 'object' ? ownerHint(owner) : 'Its id.'}
          >
            {(described) => (
              <AccountInput
                {...described}
                value={form.account ?? ''}
                edit={(value) => edit({ account: value })}
              />
            )}
          </Field>
        )}
        <TextField
          title="Name"
          mistake={mistakeOf('name')}
          hint="What it is for, such as “back end”."
          name="name"
          maxLength={201}
          value={form.name}
          set={(name) => edit({ name })}
        />
        <Options
          title="Environment"
          name="environment"
          options={environments}
          value={form.environment}
          choose={(environment) => edit({ environment })}
        />
        <Options
          title="Type"
          name="type"
          options={types}
          value={form.type}
          choose={(type) =>
            edit({ type, permissions: type === 'pk' ? permissionsOf(type) : form.permissions })
          }
        />
        <Permissions form={form} mistake={mistakeOf('permissions')} edit={edit} />
        <LinesField
          title="IP restrictions (optional)"
          mistake={mistakeOf('ipRestrictions')}
          hint="Addresses or CIDR blocks, one per line, such as 203.0.113.0/24. Empty: from everywhere."
          name="ipRestrictions"
          value={form.ipRestrictions}
          set={(ipRestrictions) => edit({ ipRestrictions })}
        />
        {form.type === 'pk' && (
          <LinesField
            title="Origins (optional)"
            mistake={mistakeOf('origins')}
            hint="Of the pages that may use it, one per line, such as https://shop.example. Empty: no page may."
            name="origins"
            value={form.origins}
            set={(origins) => edit({ origins })}
          />
        )}
        <TimeField
          title="Expires (optional)"
          mistake={mistakeOf('expiresAt')}
          hint={expiryHint(form.expiresAt)}
          name="expiresAt"
          value={form.expiresAt}
          set={(expiresAt) => edit({ expiresAt })}
        />
        {failure && <FailureNote failure={failure} />}
        <div class="buttons">
          <Submit text="Create the key" isBusy={isBusy} />
          <a class="button" href={back}>
            Cancel
          </a>
        </div>
      </form>
    </main>
  );
}

function Permissions({
  form,
  mistake,
  edit,
}: Pick<Draft, 'form' | 'edit'> & { mistake: string | undefined }) {
  const chosenWith = (permission: string, isChosen: boolean) =>
    allPermissions.filter((each) => (each === permission ? isChosen : form.permissions.includes(each)));
  return (
    <fieldset>
      <legend class="label">Permissions</legend>
      {allPermissions.map((permission) => (
        <label key={permission} class="option">
          <input
            type="checkbox"
            name="permissions"
            checked={form.permissions.includes(permission)}
            disabled={!permissionsOf(form.type).includes(permission)}
            onChange={({ currentTarget }) =>
              edit({ permissions: chosenWith(permission, currentTarget.checked) })
            }
          />
          <span>
            {permission} <span class="hint">{permissionTexts[permission]}</span>
          </span>
        </label>
      ))}
      {mistake && <span class="mistake">{mistake}</span>}
    </fieldset>
  );
}

function ownerHint({ name, plan }: Account): string {
  return `${name}, plan ${plan}`;
}

function expiryHint(expiresAt: string): string {
  const time = new Date(expiresAt);
  return Number.isNaN(time.getTime())
    ? 'In your time zone. Empty: it never expires.'
    : `${formatUtc(time)}. Rotate it before; empty: never.`;
}

/** A key: its settings, its last use, and what can be done with it. */
import { pathOf, read } from '../api.ts';
import type { Key as KeyData } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { KeyState } from '../parts/badges.tsx';
import { useCreatedKeys } from '../parts/created-key.tsx';
import { Fact } from '../parts/fact.tsx';
import { Heading } from '../parts/heading.tsx';
import { KeyActions } from '../parts/key-actions.tsx';
import { MadeBy } from '../parts/made-by.tsx';
import { Changes } from '../parts/may-change.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { AccountRequests } from './account-requests.tsx';

/** @param isOwn whether it is of the account of who is signed in. */
export function Key({ id, isOwn = false }: { id: string; isOwn?: boolean }) {
  const resource = useResource(id, (signal) => read<KeyData>(pathOf('keys', id), { signal }));
  const { notes, add } = useCreatedKeys({ withExample: isOwn });
  return (
    <main>
      {!resource.data && <Heading title="Key" />}
      {notes}
      <Loaded resource={resource}>
        {(key) => (
          <>
            <div class="title">
              <Heading title={key.name} />
              <Changes>
                <KeyActions subject={key} changed={resource.reload} created={add} />
              </Changes>
            </div>
            <p>
              <KeyState value={key} /> <code>{key.display}</code>
            </p>
            <Facts of={key} isOwn={isOwn} />
            {isOwn && <AccountRequests path="" of={id} />}
          </>
        )}
      </Loaded>
    </main>
  );
}

function Facts({ of: key, isOwn }: { of: KeyData; isOwn: boolean }) {
  const { account, environment, type, permissions, ipRestrictions, origins, createdAt, expiresAt } = key;
  return (
    <dl class="facts card">
      {!isOwn && (
        <Fact title="Account">
          <a href={`${HOME}/accounts/${account}`}>{account}</a>
        </Fact>
      )}
      <Fact title="Id">
        <code>{key.id}</code>
      </Fact>
      <Fact title="Environment and type">{`${environment}, ${type === 'sk' ? 'secret' : 'public'}`}</Fact>
      <Fact title="Permissions">{permissions.join(', ')}</Fact>
      <Fact title="IP restrictions">
        {ipRestrictions.length === 0 ? 'none: from everywhere' : ipRestrictions.join(', ')}
      </Fact>
      {type === 'pk' && (
        <Fact title="Origins">{origins.length === 0 ? 'none: no page may use it' : origins.join(', ')}</Fact>
      )}
      <Fact title="Created">
        <Time at={createdAt} />
      </Fact>
      <Fact title="Made by">
        <MadeBy maker={key.madeBy} />
      </Fact>
      <Fact title="Expires">{expiresAt === null ? 'never' : <Time at={expiresAt} />}</Fact>
      <Fact title="Last use">
        {key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} style="relative" />}
        {key.lastUsedAddress !== null && ` from ${key.lastUsedAddress}`}
      </Fact>
      {key.revokedAt !== null && (
        <Fact title="Revoked">
          <Time at={key.revokedAt} />
        </Fact>
      )}
      {key.successor !== null && (
        <Fact title="Rotated to">
          <a href={`${HOME}/keys/${key.successor}`}>{key.successor}</a>
        </Fact>
      )}
    </dl>
  );
}

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
      {!isOwn && <Fact title="Account" value={<a href={`${HOME}/accounts/${account}`}>{account}</a>} />}
      <Fact title="Id" value={<code>{key.id}</code>} />
      <Fact title="Environment and type" value={`${environment}, ${type === 'sk' ? 'secret' : 'public'}`} />
      <Fact title="Permissions" value={permissions.join(', ')} />
      <Fact
        title="IP restrictions"
        value={ipRestrictions.length === 0 ? 'none: from everywhere' : ipRestrictions.join(', ')}
      />
      {type === 'pk' && (
        <Fact
          title="Origins"
          value={origins.length === 0 ? 'none: no page may use it' : origins.join(', ')}
        />
      )}
      <Fact title="Created" value={<Time at={createdAt} />} />
      <Fact title="Made by" value={<MadeBy maker={key.madeBy} />} />
      <Fact title="Expires" value={expiresAt === null ? 'never' : <Time at={expiresAt} />} />
      <Fact title="Last use">
        {key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} style="relative" />}
        {key.lastUsedAddress !== null && ` from ${key.lastUsedAddress}`}
      </Fact>
      {key.revokedAt !== null && <Fact title="Revoked" value={<Time at={key.revokedAt} />} />}
      {key.successor !== null && (
        <Fact title="Rotated to" value={<a href={`${HOME}/keys/${key.successor}`}>{key.successor}</a>} />
      )}
    </dl>
  );
}

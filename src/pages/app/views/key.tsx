/** A key: its settings, its last use, and what can be done with it. */
import { pathOf, read } from '../api.ts';
import type { Key as KeyData } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { KeyState } from '../parts/badges.tsx';
import { useCreatedKeys } from '../parts/created-key.tsx';
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
        <div>
          <dt>Account</dt>
          <dd>
            <a href={`${HOME}/accounts/${account}`}>{account}</a>
          </dd>
        </div>
      )}
      <div>
        <dt>Id</dt>
        <dd>
          <code>{key.id}</code>
        </dd>
      </div>
      <div>
        <dt>Environment and type</dt>
        <dd>{`${environment}, ${type === 'sk' ? 'secret' : 'public'}`}</dd>
      </div>
      <div>
        <dt>Permissions</dt>
        <dd>{permissions.join(', ')}</dd>
      </div>
      <div>
        <dt>IP restrictions</dt>
        <dd>{ipRestrictions.length === 0 ? 'none: from everywhere' : ipRestrictions.join(', ')}</dd>
      </div>
      {type === 'pk' && (
        <div>
          <dt>Origins</dt>
          <dd>{origins.length === 0 ? 'none: no page may use it' : origins.join(', ')}</dd>
        </div>
      )}
      <div>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Made by</dt>
        <dd>
          <MadeBy maker={key.madeBy} />
        </dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>{expiresAt === null ? 'never' : <Time at={expiresAt} />}</dd>
      </div>
      <div>
        <dt>Last use</dt>
        <dd>
          {key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} style="relative" />}
          {key.lastUsedAddress !== null && ` from ${key.lastUsedAddress}`}
        </dd>
      </div>
      {key.revokedAt !== null && (
        <div>
          <dt>Revoked</dt>
          <dd>
            <Time at={key.revokedAt} />
          </dd>
        </div>
      )}
      {key.successor !== null && (
        <div>
          <dt>Rotated to</dt>
          <dd>
            <a href={`${HOME}/keys/${key.successor}`}>{key.successor}</a>
          </dd>
        </div>
      )}
    </dl>
  );
}

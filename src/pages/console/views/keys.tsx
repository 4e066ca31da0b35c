/** The keys of the account. */
import { read } from '../../app/api.ts';
import type { Environment, Key, KeyList } from '../../app/api-types.ts';
import { useList } from '../../app/hooks.ts';
import { useCreatedKeys } from '../../app/parts/created-key.tsx';
import { useEnvironment } from '../../app/parts/environment.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { KeyTable } from '../../app/parts/key-table.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { SecretNote } from '../../app/parts/notes.tsx';
import { Pages } from '../../app/parts/table.tsx';
import { HOME } from '../../app/router.ts';
import { isOld, OLD_DAYS } from '../old-keys.ts';

/** @param pasted the secret that was pasted into the search, `key` or `token`. */
export function Keys({ pasted }: { pasted: string | null }) {
  const resource = useList('', 'keys', readKeys);
  const { environment = 'live' } = useEnvironment() ?? {};
  const { notes, add } = useCreatedKeys({ withExample: true });
  return (
    <main>
      <div class="title">
        <Heading title="Keys" />
        <Changes>
          <a class="button primary" href={`${HOME}/keys/new`}>
            Create a key
          </a>
        </Changes>
      </div>
      {pasted !== null && <SecretNote isToken={pasted === 'token'} />}
      {notes}
      <Pages resource={resource}>
        {({ keys }) => {
          const shown = keys.filter((key) => key.environment === environment);
          return (
            <>
              <Old keys={shown} />
              <KeyTable
                caption="Keys"
                keys={shown}
                empty={emptyText(environment)}
                changed={resource.reload}
                created={add}
              />
            </>
          );
        }}
      </Pages>
    </main>
  );
}

function emptyText(environment: Environment): string {
  return environment === 'live'
    ? 'There is no live key yet. Test keys are under “Test”, at the side.'
    : 'There is no test key yet. Live keys are under “Live”, at the side.';
}

function Old({ keys }: { keys: readonly Key[] }) {
  const old = keys.filter(isOld);
  if (old.length === 0) return null;
  return (
    <p class="note" role="status">
      {`Older than ${OLD_DAYS} days: ${old.map(({ name }) => `“${name}”`).join(', ')}. Rotate a key from time to time: ` +
        'whoever got hold of the old one loses it.'}
    </p>
  );
}

function readKeys(after: string, signal?: AbortSignal): Promise<KeyList> {
  return read('/keys', { query: { after }, signal });
}

/** The keys that end soon, and the way to a new one. */
import { read } from '../api.ts';
import type { ExpiringKeys } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { useCreatedKeys } from '../parts/created-key.tsx';
import { Heading } from '../parts/heading.tsx';
import { KeyTable } from '../parts/key-table.tsx';
import { Empty, Loaded, SecretNote } from '../parts/notes.tsx';
import { HOME } from '../router.ts';
import { SOON_DAYS } from '../words.ts';

/** @param pasted the secret that was pasted into the search, `key` or `token`. */
export function Keys({ pasted }: { pasted: string | null }) {
  const query = { days: `${SOON_DAYS}` };
  const resource = useResource('', (signal) => read<ExpiringKeys>('/keys/expiring', { query, signal }));
  const { notes, add } = useCreatedKeys();
  return (
    <main>
      <div class="title">
        <Heading title="Keys" />
        <a class="button primary" href={`${HOME}/keys/new`}>
          Create a key
        </a>
      </div>
      {pasted !== null && <SecretNote isToken={pasted === 'token'} />}
      {notes}
      <section class="part">
        <h2>Expiring soon</h2>
        <p class="faint">
          {`All that end within ${SOON_DAYS} days and have no successor. The keys of a customer are on the page of their `}
          <a href={`${HOME}/accounts`}>account</a>.
        </p>
        <Loaded resource={resource}>
          {({ keys, more }) => (
            <>
              {keys.length === 0 ? (
                <Empty>{`No key ends within ${SOON_DAYS} days.`}</Empty>
              ) : (
                <KeyTable
                  caption="Keys that expire soon"
                  keys={keys}
                  withAccount
                  changed={resource.reload}
                  created={add}
                />
              )}
              {more && <p class="faint">There are more; these end first.</p>}
            </>
          )}
        </Loaded>
      </section>
    </main>
  );
}

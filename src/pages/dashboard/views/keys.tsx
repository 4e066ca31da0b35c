/** Finding a key by its end, the keys that end soon, and the way to a new one. */
import { useState } from 'preact/hooks';
import { read } from '../../app/api.ts';
import type { CreatedKey, ExpiringKeys, KeyMatches } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { useCreatedKeys } from '../../app/parts/created-key.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { KeyTable } from '../../app/parts/key-table.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Loaded, SecretNote } from '../../app/parts/notes.tsx';
import { HOME } from '../../app/router.ts';
import { SOON_DAYS } from '../../app/words.ts';

interface KeysProps {
  /** The secret that was pasted into the search, `key` or `token`. */
  readonly pasted: string | null;
  /** The last characters to look for; may be empty. */
  readonly ending: string;
}

export function Keys({ pasted, ending }: KeysProps) {
  const query = { days: `${SOON_DAYS}` };
  const resource = useResource('', (signal) => read<ExpiringKeys>('/keys/expiring', { query, signal }));
  const { notes, add } = useCreatedKeys();
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
      <Find ending={ending} />
      <section class="part">
        <h2>Expiring soon</h2>
        <p class="faint">
          {`All that end within ${SOON_DAYS} days and have no successor. The keys of a customer are on the page of their `}
          <a href={`${HOME}/accounts`}>account</a>.
        </p>
        <Loaded resource={resource}>
          {({ keys, more }) => (
            <>
              <KeyTable
                caption="Keys that expire soon"
                keys={keys}
                withAccount
                empty={`No key ends within ${SOON_DAYS} days.`}
                changed={resource.reload}
                created={add}
              />
              {more && <p class="faint">There are more; these expire first.</p>}
            </>
          )}
        </Loaded>
      </section>
    </main>
  );
}

const ENDING = /^[0-9A-Za-z]{4}$/;

function Find({ ending: initial }: { ending: string }) {
  const [text, setText] = useState(initial);
  const { notes, add } = useCreatedKeys();
  return (
    <section class="part" id="find">
      <h2>Find a key</h2>
      <div class="filter">
        <input
          aria-label="Last four characters of a key"
          placeholder="Last four characters"
          autocomplete="off"
          maxLength={4}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      {notes}
      {ENDING.test(text) && <Found ending={text} created={add} key={text} />}
    </section>
  );
}

function Found({ ending, created }: { ending: string; created: (successor: CreatedKey) => void }) {
  const resource = useResource(ending, (signal) => read<KeyMatches>('/keys', { query: { ending }, signal }));
  return (
    <Loaded resource={resource}>
      {({ keys }) => (
        <KeyTable
          caption="Keys found"
          keys={keys}
          withAccount
          empty="No key ends with that."
          changed={resource.reload}
          created={created}
        />
      )}
    </Loaded>
  );
}

/** The guide, whose examples have the account's own base address and a test key. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { change } from '../../app/api.ts';
import type { CreatedKey } from '../../app/api-types.ts';
import { useAction, useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Copyable } from '../../app/parts/copyable.tsx';
import { useCreatedKeys } from '../../app/parts/created-key.tsx';
import { TextField } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { FailureNote, Loaded } from '../../app/parts/notes.tsx';
import { SERVICE } from '../../app/place.ts';
import { contentsAndText, FIRST_PAGE, type GuidePage, readGuidePage } from '../guide.ts';

const TITLE = 'Documentation';
const TEST_KEY = /^svc_test_[sp]k_[0-9A-Za-z]{49}$/;
const LIVE_KEY = /^svc_live_/;

/** Only in the memory of the page: nothing of a key is stored in a browser. */
export interface TestKey {
  readonly value: string | undefined;
  readonly hold: (key: string | undefined) => void;
}

interface DocumentationProps {
  /** Name of a page of the guide. */
  readonly name?: string | undefined;
  readonly testKey: TestKey;
}

export function Documentation({ name = FIRST_PAGE, testKey }: DocumentationProps) {
  const resource = useResource(name, (signal) => readGuidePage(name, signal));
  const { notes, add } = useCreatedKeys();
  const title = name === FIRST_PAGE ? TITLE : resource.data?.title;
  return (
    <main>
      {title === undefined ? <Heading title={TITLE} /> : <Heading title={title} key={title} />}
      {notes}
      <Own testKey={testKey} created={add} />
      <Loaded resource={resource}>{(page) => <Guide page={page} testKey={testKey.value} />}</Loaded>
    </main>
  );
}

function Guide({ page, testKey }: { page: GuidePage; testKey: string | undefined }) {
  const guide = useRef<HTMLDivElement>(null);
  useEffect(() => guide.current?.replaceChildren(...contentsAndText(page, testKey)), [page, testKey]);
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [page]);
  return <div class="guide" ref={guide} />;
}

interface OwnProps extends Pick<DocumentationProps, 'testKey'> {
  readonly created: (key: CreatedKey) => void;
}

/** What the examples have in place of the guide's own. */
function Own({ testKey: { value, hold }, created }: OwnProps) {
  const [text, setText] = useState('');
  const [mistake, setMistake] = useState<string>();
  const { isBusy, failure, run } = useAction();
  const create = () =>
    run(async () => {
      const made = await change<CreatedKey>('POST', '/keys', {
        name: 'documentation',
        environment: 'test',
        type: 'sk',
      });
      created(made);
      hold(made.key);
    });
  const use = (event: Event) => {
    event.preventDefault();
    const wrong = mistakeIn(text.trim());
    setMistake(wrong);
    if (wrong !== undefined) return;
    hold(text.trim());
    setText('');
  };
  return (
    <section class="card own" aria-label="For the examples">
      <h2>Base address</h2>
      <Copyable text={SERVICE} />
      <h2>Test key</h2>
      {value === undefined ? (
        <>
          <p class="faint">
            It converts for real and is never billed. The examples hold it until you reload or leave the
            console; it is stored nowhere.
          </p>
          {failure && <FailureNote failure={failure} />}
          <Changes>
            <div class="buttons">
              <Button text="Create a test key" look="primary" isBusy={isBusy} act={create} />
            </div>
          </Changes>
          <form class="paste" onSubmit={use} noValidate>
            <TextField
              title="Paste a test key"
              hint="An existing one."
              mistake={mistake}
              autocomplete="off"
              spellcheck={false}
              maxLength={100}
              value={text}
              set={setText}
            />
            <button type="submit" class="button">
              Use it
            </button>
          </form>
        </>
      ) : (
        <div class="buttons">
          <p role="status">
            The examples hold <code>{`${value.slice(0, 12)}…${value.slice(-4)}`}</code>.
          </p>
          <Button text="Forget it" look="small" act={() => hold(undefined)} />
        </div>
      )}
    </section>
  );
}

function mistakeIn(text: string): string | undefined {
  if (TEST_KEY.test(text)) return undefined;
  if (LIVE_KEY.test(text)) return 'That is a live key, whose conversions are billed. Use a test key.';
  return 'That is no whole test key: it begins with svc_test_.';
}

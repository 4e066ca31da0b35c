/** Passkeys and sessions of who is signed in. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { change, pathOf, read } from '../api.ts';
import type { OwnSession, Passkey, PasskeyList, SessionList } from '../api-types.ts';
import { useAction, useResource } from '../hooks.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { FailureNote, Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { ways } from '../place.ts';
import { browserOf } from '../sign-in/browser-name.ts';
import { addPasskey } from '../sign-in/passkeys.ts';

interface YouProps {
  /** Who it is, where the page has it nowhere else. */
  readonly about?: ComponentChildren;
  readonly hasPasskeys?: boolean;
}

export function You({ about, hasPasskeys = true }: YouProps) {
  return (
    <main>
      <Heading title="You" />
      {about}
      {ways.passkey && hasPasskeys && <Passkeys />}
      <Sessions />
    </main>
  );
}

function Passkeys() {
  const resource = useResource('', (signal) => read<PasskeyList>('/passkeys', { signal }));
  const [leaving, leave] = useState<Passkey>();
  const { isBusy, failure, run } = useAction();
  const add = () =>
    run(async () => {
      await addPasskey(browserOf(navigator.userAgent));
      resource.reload();
    });
  const columns: Column<Passkey>[] = [
    { title: 'Passkey', cell: ({ name }) => name },
    { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Last sign-in',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} style="relative" />),
    },
    {
      title: 'Actions',
      cell: (passkey) => (
        <Button text="Remove" of={passkey.name} look="small danger" act={() => leave(passkey)} />
      ),
    },
  ];
  return (
    <section class="part" id="passkeys">
      <div class="title">
        <h2>Passkeys</h2>
        <Button text="Add a passkey" look="small" isBusy={isBusy} act={add} />
      </div>
      {failure && <FailureNote failure={failure} />}
      <Loaded resource={resource}>
        {({ passkeys }) => (
          <Table caption="Passkeys" columns={columns} rows={passkeys} keyOf={({ id }) => id} />
        )}
      </Loaded>
      <p class="faint">With a second one, on another device, you can sign in if you lose the first.</p>
      {leaving && (
        <Dialog
          title={`Remove the passkey “${leaving.name}”?`}
          action="Remove the passkey"
          isDangerous
          act={() => change('DELETE', pathOf('passkeys', leaving.id)).then(resource.reload)}
          close={() => leave(undefined)}
        >
          <p>Nobody can sign in with it from now on, and your other sessions end.</p>
        </Dialog>
      )}
    </section>
  );
}

function Sessions() {
  const resource = useResource('', (signal) => read<SessionList>('/sessions', { signal }));
  const { isBusy, failure, run } = useAction();
  const end = ({ id }: OwnSession) =>
    run(() => change('DELETE', pathOf('sessions', id)).then(resource.reload));
  const columns: Column<OwnSession>[] = [
    {
      title: 'Browser',
      cell: ({ agent, current }) => (
        <>
          {browserOf(agent)}
          {current && <span class="second">this one</span>}
        </>
      ),
    },
    { title: 'Address', cell: ({ address }) => address },
    { title: 'Signed in', cell: ({ signedInAt }) => <Time at={signedInAt} /> },
    { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      title: 'Actions',
      cell: (session) =>
        session.current ? (
          <span class="faint">–</span>
        ) : (
          <Button
            text="End"
            of={`the session from ${session.address}`}
            look="small danger"
            isBusy={isBusy}
            act={() => end(session)}
          />
        ),
    },
  ];
  return (
    <section class="part" id="sessions">
      <h2>Sessions</h2>
      {failure && <FailureNote failure={failure} />}
      <Loaded resource={resource}>
        {({ sessions }) => (
          <Table caption="Sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </section>
  );
}

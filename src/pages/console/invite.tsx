/** Accepting an invitation. */
import { useState } from 'preact/hooks';
import type { ConsoleSession } from '../app/api-types.ts';
import { useAction, useResource } from '../app/hooks.ts';
import { Field } from '../app/parts/fields.tsx';
import { Heading } from '../app/parts/heading.tsx';
import { Logo } from '../app/parts/logo.tsx';
import { FailureNote, Loaded } from '../app/parts/notes.tsx';
import { Time } from '../app/parts/time.tsx';
import { roleTexts } from '../app/views/account-members.tsx';
import { goToProvider, ways } from './oidc.ts';
import { acceptInvitation, readInvitation } from './passkeys.ts';
import { ProviderButton } from './sign-in.tsx';

interface InviteProps {
  readonly token: string;
  readonly done: (session: ConsoleSession) => void;
}

export function Invite({ token, done }: InviteProps) {
  const resource = useResource(token, () => readInvitation(token));
  const [typed, setName] = useState('');
  const { isBusy, failure, run } = useAction();
  return (
    <main class="sign-in">
      <div class="card">
        <p class="home">
          <Logo />
        </p>
        <Heading title="Join" />
        <Loaded resource={resource}>
          {({ account, email, role, name: known, expiresAt }) => {
            const name = known ?? typed.trim();
            const submit = async (event: Event) => {
              event.preventDefault();
              await run(async () => done(await acceptInvitation(token, name)));
            };
            const invited = (
              <p>
                <strong>{account}</strong> invites {email} as {roleTexts[role]}.
              </p>
            );
            const provider = ways.provider && <ProviderButton isBusy={isBusy} go={() => run(goToProvider)} />;
            if (!ways.passkey) {
              return (
                <>
                  {invited}
                  {failure && <FailureNote failure={failure} />}
                  {provider}
                </>
              );
            }
            return (
              <form onSubmit={submit}>
                {invited}
                {known === null && provider}
                {known === null ? (
                  <Field title="Your name" hint="Colleagues see it." mistake={undefined}>
                    {(described) => (
                      <input
                        {...described}
                        name="name"
                        autocomplete="name"
                        maxLength={200}
                        value={typed}
                        onInput={({ currentTarget }) => setName(currentTarget.value)}
                      />
                    )}
                  </Field>
                ) : (
                  <p class="note">
                    {`Welcome back, ${known}. The passkey that you make now replaces your others, and ends your sessions.`}
                  </p>
                )}
                <p class="faint">
                  Your device makes a passkey: you sign in with its fingerprint, face or PIN. The link works
                  once, until <Time at={expiresAt} />.
                </p>
                {failure && <FailureNote failure={failure} />}
                <button type="submit" class="button primary" disabled={isBusy || name === ''}>
                  {isBusy ? 'One moment …' : 'Make a passkey and join'}
                </button>
              </form>
            );
          }}
        </Loaded>
      </div>
    </main>
  );
}

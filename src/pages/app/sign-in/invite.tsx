/** Accepting an invitation. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WithToken } from '../api.ts';
import { useAction, useResource } from '../hooks.ts';
import { Submit } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { FailureNote, Loaded } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { ways } from '../place.ts';
import { goToProvider } from './oidc.ts';
import { acceptInvitation, readInvitation } from './passkeys.ts';
import { ProviderButton } from './provider-button.tsx';
import { SignInFrame } from './sign-in-card.tsx';

export interface Open {
  readonly name: string | null;
  readonly expiresAt: string;
  readonly options?: unknown;
}

interface InviteProps<Invitation, Session> {
  readonly token: string;
  readonly done: (session: Session) => void;
  /** Who invites whom, and as what. */
  readonly text: (invitation: Invitation) => ComponentChildren;
}

export function Invite<Invitation extends Open, Session extends WithToken>({
  token,
  done,
  text,
}: InviteProps<Invitation, Session>) {
  const resource = useResource(token, () => readInvitation<Invitation>(token));
  const [typed, setName] = useState('');
  const { isBusy, failure, run } = useAction();
  return (
    <SignInFrame title="Join">
      <Loaded resource={resource}>
        {(invitation) => {
          const { name: known, expiresAt } = invitation;
          const name = known ?? typed.trim();
          const submit = async (event: Event) => {
            event.preventDefault();
            await run(async () => done(await acceptInvitation<Session>(token, name)));
          };
          const invited = <p>{text(invitation)}</p>;
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
                <TextField
                  title="Your name"
                  hint="Colleagues see it."
                  name="name"
                  autocomplete="name"
                  maxLength={200}
                  value={typed}
                  set={setName}
                />
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
              <Submit text="Make a passkey and join" isBusy={isBusy} isReady={name !== ''} />
            </form>
          );
        }}
      </Loaded>
    </SignInFrame>
  );
}

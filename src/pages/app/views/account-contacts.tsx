/** Who gets the warnings of an account by e-mail. */
import { useState } from 'preact/hooks';
import { change, read } from '../api.ts';
import type { Contacts } from '../api-types.ts';
import { useAction, useResource } from '../hooks.ts';
import { Submit } from '../parts/button.tsx';
import { LinesField } from '../parts/fields.tsx';
import { FailureNote, Loaded } from '../parts/notes.tsx';

const MOST = 10;

/** @param path of the account in the API. */
export function AccountContacts({ path, mayChange = false }: { path: string; mayChange?: boolean }) {
  const resource = useResource(path, (signal) => read<Contacts>(`${path}/contacts`, { signal }));
  return (
    <section class="part" id="contacts">
      <h2>Warnings by e-mail</h2>
      <p>
        When 80 and 100 % of the quota are used, 7 days and 1 day before a key expires, and when an endpoint
        of webhooks was disabled.
      </p>
      <Loaded resource={resource}>
        {(contacts) => (
          <>
            {!contacts.canMail && (
              <p class="note warn" role="status">
                This service sends no e-mail: its operator has not set a mail server. What you save here
                applies once there is one.
              </p>
            )}
            {mayChange ? (
              <ContactsForm path={path} contacts={contacts} />
            ) : (
              <p>
                {contacts.addresses.length === 0
                  ? 'No addresses are set.'
                  : `${contacts.warnings ? 'To' : 'Turned off. Contact addresses:'} ${contacts.addresses.join(', ')}`}
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function ContactsForm({ path, contacts }: { path: string; contacts: Contacts }) {
  const [shown, setShown] = useState(contacts);
  const [addresses, setAddresses] = useState(shown.addresses.join('\n'));
  const [warnings, setWarnings] = useState(shown.warnings);
  const [isSaved, setSaved] = useState(false);
  const { isBusy, failure, run } = useAction();
  const wanted = addresses.split(/[\s,;]+/).filter(Boolean);
  // Only what differs from what is shown, so that what somebody else has changed since stays.
  const edits = {
    ...(wanted.join() !== shown.addresses.join() && { addresses: wanted }),
    ...(warnings !== shown.warnings && { warnings }),
  };
  const isReady = Object.keys(edits).length > 0 && mistakeIn(wanted, warnings) === undefined;
  const submit = async (event: Event) => {
    event.preventDefault();
    setSaved(false);
    await run(async () => {
      const saved = await change<Contacts>('PUT', `${path}/contacts`, edits);
      setShown(saved);
      setAddresses(saved.addresses.join('\n'));
      setWarnings(saved.warnings);
      setSaved(true);
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <LinesField
        title="Contact addresses"
        hint={`One per line, at most ${MOST}. They see each other in messages.`}
        mistake={mistakeIn(wanted, warnings)}
        value={addresses}
        set={(typed) => {
          setAddresses(typed);
          setSaved(false);
        }}
      />
      <label class="option">
        <input
          type="checkbox"
          checked={warnings}
          onChange={({ currentTarget }) => {
            setWarnings(currentTarget.checked);
            setSaved(false);
          }}
        />
        <span>Send warnings to these addresses</span>
      </label>
      {failure && <FailureNote failure={failure} />}
      <div class="buttons">
        <Submit text="Save" isBusy={isBusy} isReady={isReady} />
        <span role="status">{isSaved && 'Saved.'}</span>
      </div>
    </form>
  );
}

function mistakeIn(addresses: readonly string[], warnings: boolean): string | undefined {
  if (addresses.length > MOST) return `At most ${MOST} addresses.`;
  const wrong = addresses.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  if (wrong !== undefined) return `“${wrong}” is no e-mail address.`;
  return warnings && addresses.length === 0 ? 'Say where warnings are to go.' : undefined;
}

/** The account itself. */
import { useState } from 'preact/hooks';
import { addressOf, read } from '../../app/api.ts';
import type { AccountDetail } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Fact } from '../../app/parts/fact.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Changes, useMayChange } from '../../app/parts/may-change.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { Time } from '../../app/parts/time.tsx';
import { AccountContacts } from '../../app/views/account-contacts.tsx';
import { RenameAccount } from '../../app/views/rename-account.tsx';

/** @param renamed the frame shows the name, too. */
export function Settings({ renamed }: { renamed: () => void }) {
  const resource = useResource('', (signal) => read<AccountDetail>('/account', { signal }));
  const [asks, setAsks] = useState(false);
  const changed = () => {
    resource.reload();
    renamed();
  };
  return (
    <main>
      <Heading title="Settings" />
      <Loaded resource={resource}>
        {(account) => (
          <>
            <dl class="facts card">
              <Fact title="Name" value={account.name} />
              <Fact title="Id" value={<code>{account.id}</code>} />
              <Fact title="Plan" value={account.plan} />
              <Fact title="Since" value={<Time at={account.createdAt} />} />
            </dl>
            <div class="buttons">
              <Changes>
                <Button text="Rename" act={() => setAsks(true)} />
              </Changes>
              <a class="button" href={addressOf('/account/export')} download>
                Export as JSON
              </a>
            </div>
            {asks && (
              <RenameAccount
                path="/account"
                account={account}
                changed={changed}
                close={() => setAsks(false)}
              />
            )}
          </>
        )}
      </Loaded>
      <AccountContacts path="/account" mayChange={useMayChange()} />
    </main>
  );
}

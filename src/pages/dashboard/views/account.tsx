/** One account: where it stands now, what it used, its keys and its recent requests. */
import { useState } from 'preact/hooks';
import { change, pathOf, read } from '../../app/api.ts';
import type { AccountDetail, KeyList, PlanList } from '../../app/api-types.ts';
import { useList, useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { useCreatedKeys } from '../../app/parts/created-key.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { KeyTable } from '../../app/parts/key-table.tsx';
import { Changes, useMayChange } from '../../app/parts/may-change.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { PlanSelect } from '../../app/parts/plan-select.tsx';
import { Pages } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { UseBar } from '../../app/parts/use.tsx';
import { WindowTiles } from '../../app/parts/window-tiles.tsx';
import { HOME } from '../../app/router.ts';
import { AccountContacts } from '../../app/views/account-contacts.tsx';
import { AccountJobs } from '../../app/views/account-jobs.tsx';
import { AccountMembers } from '../../app/views/account-members.tsx';
import { AccountRequests } from '../../app/views/account-requests.tsx';
import { AccountUsage } from '../../app/views/account-usage.tsx';
import { AccountWebhooks } from '../../app/views/account-webhooks.tsx';
import { formatMonth, formatSeconds } from '../../app/words.ts';
import { AccountLife, AccountNote } from './account-life.tsx';

interface Standing {
  readonly account: AccountDetail;
  readonly readAt: Date;
}

export function Account({ id }: { id: string }) {
  const resource = useResource<Standing>(id, async (signal) => {
    const account = await read<AccountDetail>(pathOf('accounts', id), { signal });
    return { account, readAt: new Date() };
  });
  const [asks, setAsks] = useState(false);
  const mayChange = useMayChange();
  return (
    <main>
      {!resource.data && <Heading title={id} />}
      <Loaded resource={resource}>
        {({ account, readAt }) => (
          <>
            <div class="title">
              <div>
                <Heading title={account.name} />
                <p class="faint">
                  <code>{account.id}</code> · plan {account.plan} · since <Time at={account.createdAt} />
                  {account.isolationNow === 'document' && ' · a process for each document'}
                </p>
              </div>
              <Changes>
                <div class="buttons">
                  <Button text="Change the plan" act={() => setAsks(true)} />
                  <a
                    class="button primary"
                    href={`${HOME}/keys/new?account=${encodeURIComponent(account.id)}`}
                  >
                    Create a key
                  </a>
                </div>
              </Changes>
            </div>
            <AccountNote account={account} />
            <Now account={account} readAt={readAt} reload={resource.reload} />
            <AccountUsage path={pathOf('accounts', account.id)} mayOpenKeys />
            <Keys account={account.id} />
            <AccountJobs path={pathOf('accounts', account.id)} />
            <AccountWebhooks path={pathOf('accounts', account.id)} />
            <AccountRequests path={pathOf('accounts', account.id)} />
            <AccountMembers path={pathOf('accounts', account.id)} mayChange={mayChange} />
            <AccountContacts path={pathOf('accounts', account.id)} mayChange={mayChange} />
            <AccountLife account={account} changed={resource.reload} />
            {asks && <ChangePlan account={account} changed={resource.reload} close={() => setAsks(false)} />}
          </>
        )}
      </Loaded>
    </main>
  );
}

function Now({ account, readAt, reload }: Standing & { reload: () => void }) {
  const { month, used, quota, reserved, renewsAt, windows } = account;
  return (
    <section class="part">
      <div class="title">
        <h2>Now</h2>
        <p class="faint">
          {`Read at ${formatSeconds(readAt)} `}
          <Button text="Refresh" look="small" act={reload} />
        </p>
      </div>
      <div class="tiles">
        <section class="tile" id="quota">
          <h3>{`Quota of ${formatMonth(month)}`}</h3>
          <UseBar used={used} limit={quota} what="conversions" />
          <div class="faint">
            {quota !== null && (
              <>
                Renews <Time at={renewsAt} />
              </>
            )}
            {reserved > 0 && ` · ${reserved} under way`}
          </div>
        </section>
        <WindowTiles windows={windows} level="h3" />
      </div>
      {windows.length === 0 && <p class="faint">It has no rate windows.</p>}
    </section>
  );
}

function Keys({ account }: { account: string }) {
  const resource = useList(account, 'keys', (after, signal) => readKeys(account, after, signal));
  const { notes, add } = useCreatedKeys();
  return (
    <section class="part">
      <h2>Keys</h2>
      {notes}
      <Pages resource={resource}>
        {({ keys }) => (
          <KeyTable
            caption="Keys of the account"
            keys={keys}
            empty="It has no key yet."
            changed={resource.reload}
            created={add}
          />
        )}
      </Pages>
    </section>
  );
}

function readKeys(account: string, after: string, signal?: AbortSignal): Promise<KeyList> {
  return read(pathOf('accounts', account, 'keys'), { query: { after }, signal });
}

interface ChangePlanProps {
  readonly account: AccountDetail;
  readonly changed: () => void;
  readonly close: () => void;
}

function ChangePlan({ account: { id, name, plan: former }, changed, close }: ChangePlanProps) {
  const plans = useResource('', (signal) => read<PlanList>('/plans', { signal }));
  const [plan, setPlan] = useState(former);
  const act = () => change('PUT', pathOf('accounts', id, 'plan'), { plan }).then(changed);
  return (
    <Dialog
      title={`Change the plan of ${name}`}
      action="Change the plan"
      isReady={plan !== former}
      act={act}
      close={close}
    >
      <Loaded resource={plans}>
        {(data) => <PlanSelect plans={data.plans} value={plan} choose={setPlan} />}
      </Loaded>
      <p>It applies from the next request on. What was used this month stays counted.</p>
    </Dialog>
  );
}

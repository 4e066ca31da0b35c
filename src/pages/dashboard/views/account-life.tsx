/** The life of an account: what can be done with all of it. */
import { useState } from 'preact/hooks';
import { addressOf, change, pathOf } from '../../app/api.ts';
import type { AccountDetail } from '../../app/api-types.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { TextField } from '../../app/parts/fields.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Time } from '../../app/parts/time.tsx';
import { HOME } from '../../app/router.ts';
import { RenameAccount } from '../../app/views/rename-account.tsx';
import { OwnLimits, SetLimit } from './account-limits.tsx';

interface LifeProps {
  readonly account: AccountDetail;
  readonly changed: () => void;
}

/** Why its keys do not work, if they do not. */
export function AccountNote({ account: { suspendedAt, deletesAt } }: { account: AccountDetail }) {
  if (deletesAt !== null) {
    return (
      <p class="state bad">
        <strong>To be deleted</strong> on <Time at={deletesAt} />. Its keys get 403. Until then it can be
        restored, below.
      </p>
    );
  }
  if (suspendedAt === null) return null;
  return (
    <p class="state bad">
      <strong>Suspended</strong> since <Time at={suspendedAt} />. Its keys get 403.
    </p>
  );
}

export function AccountLife({ account, changed }: LifeProps) {
  const [asks, ask] = useState<
    'rename' | 'limit' | 'isolation' | 'suspend' | 'resume' | 'delete' | 'restore'
  >();
  const isSuspended = account.suspendedAt !== null;
  const isClosing = account.deletesAt !== null;
  const close = () => ask(undefined);
  return (
    <section class="part" id="life">
      <h2>This account</h2>
      <OwnLimits account={account} changed={changed} />
      <div class="buttons">
        <Changes>
          <Button text="Rename" act={() => ask('rename')} />
          <Button text="Set a limit" act={() => ask('limit')} />
          {account.isolation === 'document' && (
            <Button text="Let documents share a process" act={() => ask('isolation')} />
          )}
          {account.isolationNow === 'account' && (
            <Button text="Isolate documents" act={() => ask('isolation')} />
          )}
          <a class="button" href={addressOf(`${pathOf('accounts', account.id)}/export`)} download>
            Export as JSON
          </a>
          <Button
            text={isSuspended ? 'Resume the account' : 'Suspend the account'}
            look={isSuspended ? '' : 'danger'}
            act={() => ask(isSuspended ? 'resume' : 'suspend')}
          />
          <Button
            text={isClosing ? 'Restore the account' : 'Delete the account'}
            look={isClosing ? '' : 'danger'}
            act={() => ask(isClosing ? 'restore' : 'delete')}
          />
        </Changes>
        <a class="button" href={`${HOME}/audit?account=${encodeURIComponent(account.id)}`}>
          Its audit
        </a>
      </div>
      {asks === 'rename' && (
        <RenameAccount
          path={pathOf('accounts', account.id)}
          account={account}
          changed={changed}
          close={close}
        />
      )}
      {asks === 'limit' && <SetLimit account={account} changed={changed} close={close} />}
      {asks === 'isolation' && <Isolate account={account} changed={changed} close={close} />}
      {asks === 'suspend' && <Suspend account={account} changed={changed} close={close} />}
      {asks === 'resume' && <Resume account={account} changed={changed} close={close} />}
      {asks === 'delete' && <Delete account={account} changed={changed} close={close} />}
      {asks === 'restore' && <Restore account={account} changed={changed} close={close} />}
    </section>
  );
}

type QuestionProps = LifeProps & { readonly close: () => void };

function Isolate({ account: { id, name, isolation }, changed, close }: QuestionProps) {
  const isIsolated = isolation === 'document';
  const next = { isolation: isIsolated ? 'account' : 'document' };
  const act = () => change('PUT', pathOf('accounts', id, 'isolation'), next).then(changed);
  return (
    <Dialog
      title={isIsolated ? `Let documents of ${name} share a process?` : `Isolate the documents of ${name}?`}
      action={isIsolated ? 'Let them share' : 'Isolate them'}
      act={act}
      close={close}
    >
      <p>
        {isIsolated ? (
          <>
            One process may convert several of them, as <code>DOCUMENTS_PER_CHILD</code> and the plan say.
          </>
        ) : (
          <>
            Each gets a process of its own, whatever <code>DOCUMENTS_PER_CHILD</code> says.
          </>
        )}{' '}
        It holds from the next request on.
      </p>
    </Dialog>
  );
}

function Suspend({ account: { id, name }, changed, close }: QuestionProps) {
  const act = () => change('POST', `${pathOf('accounts', id)}/suspend`).then(changed);
  return (
    <Dialog title={`Suspend ${name}?`} action="Suspend the account" isDangerous act={act} close={close}>
      <p>
        From now on all of its keys get 403 <code>ACCOUNT_SUSPENDED</code>. Running conversions finish and are
        billed. Waiting files of jobs keep waiting; results expire as usual.
      </p>
    </Dialog>
  );
}

function Resume({ account: { id, name }, changed, close }: QuestionProps) {
  const act = () => change('POST', `${pathOf('accounts', id)}/resume`).then(changed);
  return (
    <Dialog title={`Resume ${name}?`} action="Resume the account" act={act} close={close}>
      <p>Its keys work from the next request on. Waiting files of jobs start within a minute.</p>
    </Dialog>
  );
}

function Delete({ account: { id, name }, changed, close }: QuestionProps) {
  const [typed, setTyped] = useState('');
  const act = () => change('DELETE', pathOf('accounts', id)).then(changed);
  return (
    <Dialog
      title={`Delete ${name}?`}
      action="Delete the account"
      isDangerous
      isReady={typed === id}
      act={act}
      close={close}
    >
      <p>
        Its keys get 403 from now on. In 30 days everything of it is removed for good: keys, webhooks, jobs
        and their results, requests, usage. Only the rows of its ledger stay, without its name.
      </p>
      <TextField
        title={`Its id, ${id}`}
        hint="To confirm that it is this account."
        autocomplete="off"
        maxLength={63}
        value={typed}
        set={(typed) => setTyped(typed.trim())}
      />
    </Dialog>
  );
}

function Restore({ account: { id, name, suspendedAt }, changed, close }: QuestionProps) {
  const act = () => change('POST', `${pathOf('accounts', id)}/restore`).then(changed);
  return (
    <Dialog title={`Restore ${name}?`} action="Restore the account" act={act} close={close}>
      <p>
        {suspendedAt === null
          ? 'Its keys work with the next request.'
          : 'It stays suspended, as it was before.'}
      </p>
    </Dialog>
  );
}

/** The life of an account: what can be done with all of it. */
import { useState } from 'preact/hooks';
import { change, pathOf } from '../api.ts';
import type { AccountDetail } from '../api-types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { OwnLimits, SetLimit } from './account-limits.tsx';

interface LifeProps {
  readonly account: AccountDetail;
  readonly changed: () => void;
}

/** Why its keys do not work, if they do not. */
export function AccountNote({ account: { suspendedAt } }: { account: AccountDetail }) {
  if (suspendedAt === null) return null;
  return (
    <p class="state bad">
      <strong>Suspended</strong> since <Time at={suspendedAt} />. Its keys get 403.
    </p>
  );
}

export function AccountLife({ account, changed }: LifeProps) {
  const [asks, ask] = useState<'rename' | 'limit' | 'suspend' | 'resume'>();
  const isSuspended = account.suspendedAt !== null;
  const close = () => ask(undefined);
  return (
    <section class="part" id="life">
      <h2>This account</h2>
      <OwnLimits account={account} changed={changed} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => ask('rename')}>
          Rename
        </button>
        <button type="button" class="button" onClick={() => ask('limit')}>
          Set a limit of its own
        </button>
        <button
          type="button"
          class={`button ${isSuspended ? '' : 'danger'}`}
          onClick={() => ask(isSuspended ? 'resume' : 'suspend')}
        >
          {isSuspended ? 'Resume the account' : 'Suspend the account'}
        </button>
      </div>
      {asks === 'rename' && <Rename account={account} changed={changed} close={close} />}
      {asks === 'limit' && <SetLimit account={account} changed={changed} close={close} />}
      {asks === 'suspend' && <Suspend account={account} changed={changed} close={close} />}
      {asks === 'resume' && <Resume account={account} changed={changed} close={close} />}
    </section>
  );
}

type QuestionProps = LifeProps & { readonly close: () => void };

function Rename({ account: { id, name: former }, changed, close }: QuestionProps) {
  const [name, setName] = useState(former);
  const act = async () => {
    await change('PUT', pathOf('accounts', id, 'name'), { name: name.trim() });
    changed();
  };
  const isReady = name.trim() !== '' && name.trim() !== former;
  return (
    <Dialog title={`Rename ${former}`} action="Rename the account" isReady={isReady} act={act} close={close}>
      <Field title="Name" hint={`Of the customer. The id ${id} stays.`} mistake={undefined}>
        {(described) => (
          <input
            {...described}
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}

function Suspend({ account: { id, name }, changed, close }: QuestionProps) {
  const act = async () => {
    await change('POST', `${pathOf('accounts', id)}/suspend`);
    changed();
  };
  return (
    <Dialog title={`Suspend ${name}?`} action="Suspend the account" isDangerous act={act} close={close}>
      <p>
        From now on all of its keys get 403 <code>ACCOUNT_SUSPENDED</code>. What runs finishes and is billed.
        Files of jobs that wait go on waiting; results are removed when their time is over, as always.
      </p>
    </Dialog>
  );
}

function Resume({ account: { id, name }, changed, close }: QuestionProps) {
  const act = async () => {
    await change('POST', `${pathOf('accounts', id)}/resume`);
    changed();
  };
  return (
    <Dialog title={`Resume ${name}?`} action="Resume the account" act={act} close={close}>
      <p>Its keys work with the next request. Files of jobs that waited begin within a minute.</p>
    </Dialog>
  );
}

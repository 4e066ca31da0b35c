/** Editing, revoking and rotating a key, each after a question that says what will happen. */
import { useRef, useState } from 'preact/hooks';
import { change, Failure, pathOf } from '../api.ts';
import type { CreatedKey, Key } from '../api-types.ts';
import { editsOf, mistakeInOrigins, mistakeInRestrictions } from '../key-form.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field, LinesField, Select, TextField } from './fields.tsx';
import { Time } from './time.tsx';

interface KeyActionsProps {
  readonly subject: Key;
  /** The key is not what it was. */
  readonly changed: () => void;
  /** It has a successor. */
  readonly created: (successor: CreatedKey) => void;
}

export function KeyActions(props: KeyActionsProps) {
  const { state, successor, display } = props.subject;
  const [asks, ask] = useState<'edit' | 'revoke' | 'rotate'>();
  const isRefused = useRef(false);
  if (state !== 'valid') return <span class="faint">–</span>;
  const close = () => {
    ask(undefined);
    if (isRefused.current) props.changed();
    isRefused.current = false;
  };
  /** After a refusal the key has changed since it was read; the dialog first shows why. */
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      isRefused.current = error instanceof Failure && error.code === 'INVALID_PARAMETER';
      throw error;
    }
  };
  return (
    <div class="buttons">
      <Button text="Edit" of={display} look="small" act={() => ask('edit')} />
      {successor === null && <Button text="Rotate" of={display} look="small" act={() => ask('rotate')} />}
      <Button text="Revoke" of={display} look="small danger" act={() => ask('revoke')} />
      {asks === 'edit' && <Edit {...props} attempt={attempt} close={close} />}
      {asks === 'revoke' && <Revoke {...props} attempt={attempt} close={close} />}
      {asks === 'rotate' && <Rotate {...props} attempt={attempt} close={close} />}
    </div>
  );
}

type QuestionProps = KeyActionsProps & {
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
  readonly close: () => void;
};

function Edit({ subject, changed, attempt, close }: QuestionProps) {
  const { id, name: former, type } = subject;
  const [typed, setTyped] = useState({
    name: former,
    ipRestrictions: subject.ipRestrictions.join('\n'),
    origins: subject.origins.join('\n'),
  });
  const edit = (changes: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changes }));
  const { name, ipRestrictions, origins } = typed;
  const mistake = mistakeInRestrictions(ipRestrictions);
  const strange = mistakeInOrigins(origins);
  const edits = editsOf(subject, typed);
  const act = () => change('PUT', pathOf('keys', id), edits).then(changed);
  return (
    <Dialog
      title={`Edit “${former}”`}
      action="Save"
      isReady={name.trim() !== '' && !mistake && !strange && Object.keys(edits).length > 0}
      act={() => attempt(act)}
      close={close}
    >
      <TextField
        title="Name"
        hint="What it is for."
        maxLength={200}
        value={name}
        set={(name) => edit({ name })}
      />
      <LinesField
        title="IP restrictions"
        mistake={mistake}
        hint="Addresses or CIDR blocks, one a line. None: from everywhere. They hold from the next request on."
        value={ipRestrictions}
        set={(ipRestrictions) => edit({ ipRestrictions })}
      />
      {type === 'pk' && (
        <LinesField
          title="Origins"
          mistake={strange}
          hint="Of the pages that may use it, one a line. None: no page may. They hold from the next request on."
          value={origins}
          set={(origins) => edit({ origins })}
        />
      )}
    </Dialog>
  );
}

function Revoke({ subject, changed, attempt, close }: QuestionProps) {
  const { id, name, display, successor } = subject;
  const act = () => change('POST', `${pathOf('keys', id)}/revoke`).then(changed);
  return (
    <Dialog
      title={`Revoke “${name}”?`}
      action="Revoke the key"
      isDangerous
      act={() => attempt(act)}
      close={close}
    >
      <p>
        <code>{display}</code> stops working with the next request, on every server: programs that still use
        it get 401. This cannot be undone.
      </p>
      {successor !== null && <p>Its successor keeps working.</p>}
      <LastUse of={subject} />
    </Dialog>
  );
}

/** By seconds. */
const overlaps = [
  ['0', 'ends at once'],
  ['3600', 'works another hour'],
  ['86400', 'works another 24 hours'],
  ['604800', 'works another 7 days'],
] as const;

function Rotate({ subject, changed, created, attempt, close }: QuestionProps) {
  const { id, name, display, expiresAt } = subject;
  const [overlap, setOverlap] = useState<(typeof overlaps)[number][0]>('86400');
  const overlapSeconds = Number(overlap);
  const old = (
    <>
      The old one, <code>{display}</code>,
    </>
  );
  const act = async () => {
    created(await change<CreatedKey>('POST', `${pathOf('keys', id)}/rotate`, { overlapSeconds }));
    changed();
  };
  return (
    <Dialog title={`Rotate “${name}”?`} action="Rotate the key" act={() => attempt(act)} close={close}>
      <p>A new key with the same settings is made, and shown once.</p>
      <Field title={old}>
        {(described) => <Select {...described} options={overlaps} value={overlap} choose={setOverlap} />}
      </Field>
      <p>
        {overlapSeconds === 0 ? (
          'Programs that still use the old key get 401 from their next request on.'
        ) : (
          <>
            Until then both work: give the new one to all programs before{' '}
            <Time at={new Date(Date.now() + overlapSeconds * 1_000).toISOString()} />
            {expiresAt !== null && ', or before the old one expires anyway'}.
          </>
        )}
      </p>
      <LastUse of={subject} />
    </Dialog>
  );
}

function LastUse({ of: { lastUsedAt, lastUsedAddress } }: { of: Key }) {
  if (lastUsedAt === null) return <p>It was never used.</p>;
  return (
    <p>
      It was last used <Time at={lastUsedAt} style="relative" />
      {lastUsedAddress !== null && (
        <>
          , from <code>{lastUsedAddress}</code>
        </>
      )}
      .
    </p>
  );
}

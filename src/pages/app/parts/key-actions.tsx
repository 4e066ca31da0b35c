/** Editing, revoking and rotating a key, each after a question that says what will happen. */
import { useRef, useState } from 'preact/hooks';
import { change, Failure, pathOf } from '../api.ts';
import type { CreatedKey, Key } from '../api-types.ts';
import { editsOf, mistakeInOrigins, mistakeInRestrictions } from '../key-form.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './fields.tsx';
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
      <button type="button" class="button small" onClick={() => ask('edit')}>
        Edit <span class="visually-hidden">{display}</span>
      </button>
      {successor === null && (
        <button type="button" class="button small" onClick={() => ask('rotate')}>
          Rotate <span class="visually-hidden">{display}</span>
        </button>
      )}
      <button type="button" class="button small danger" onClick={() => ask('revoke')}>
        Revoke <span class="visually-hidden">{display}</span>
      </button>
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
  const act = async () => {
    await change('PUT', pathOf('keys', id), edits);
    changed();
  };
  return (
    <Dialog
      title={`Edit “${former}”`}
      action="Save"
      isReady={name.trim() !== '' && !mistake && !strange && Object.keys(edits).length > 0}
      act={() => attempt(act)}
      close={close}
    >
      <Field title="Name" hint="What it is for." mistake={undefined}>
        {(described) => (
          <input
            {...described}
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => edit({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field
        title="IP restrictions"
        mistake={mistake}
        hint="Addresses or CIDR blocks, one a line. None: from everywhere. They hold from the next request on."
      >
        {(described) => (
          <textarea
            {...described}
            rows={3}
            value={ipRestrictions}
            onInput={({ currentTarget }) => edit({ ipRestrictions: currentTarget.value })}
          />
        )}
      </Field>
      {type === 'pk' && (
        <Field
          title="Origins"
          mistake={strange}
          hint="Of the pages that may use it, one a line. None: no page may. They hold from the next request on."
        >
          {(described) => (
            <textarea
              {...described}
              rows={3}
              value={origins}
              onInput={({ currentTarget }) => edit({ origins: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </Dialog>
  );
}

function Revoke({ subject, changed, attempt, close }: QuestionProps) {
  const { id, name, display, successor } = subject;
  const act = async () => {
    await change('POST', `${pathOf('keys', id)}/revoke`);
    changed();
  };
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

const overlaps = [
  [0, 'ends at once'],
  [3_600, 'works another hour'],
  [86_400, 'works another 24 hours'],
  [604_800, 'works another 7 days'],
] as const;

function Rotate({ subject, changed, created, attempt, close }: QuestionProps) {
  const { id, name, display, expiresAt } = subject;
  const [overlapSeconds, setOverlap] = useState(86_400);
  const act = async () => {
    created(await change<CreatedKey>('POST', `${pathOf('keys', id)}/rotate`, { overlapSeconds }));
    changed();
  };
  return (
    <Dialog title={`Rotate “${name}”?`} action="Rotate the key" act={() => attempt(act)} close={close}>
      <p>A new key with the same settings is made, and shown once.</p>
      <label class="field">
        <span class="label">
          The old one, <code>{display}</code>,
        </span>
        <select
          value={overlapSeconds}
          onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}
        >
          {overlaps.map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </select>
      </label>
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

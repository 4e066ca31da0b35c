/** A secret that signs webhooks, shown once. It exists in this view only. */
import { useEffect, useId, useRef } from 'preact/hooks';
import { CopyButton } from '../../app/parts/copy-button.tsx';
import { Time } from '../../app/parts/time.tsx';

export interface NewSecret {
  readonly secret: string;
  /** What it signs for. */
  readonly of: string;
  /** Until when former ones sign, too; undefined: there is none. */
  readonly formerUntil?: string;
}

export function ShownSecret({ shown, done }: { shown: NewSecret; done: () => void }) {
  const code = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), [shown]);
  return (
    <section class="secret" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {`The secret of ${shown.of}`}
      </h2>
      <p>
        Copy it now and keep it safe. It is shown only here, only once. With it your receiver{' '}
        <a href="/v1/docs/guide/webhooks#verify" target="_blank" rel="noopener">
          verifies
        </a>{' '}
        (in a new tab) who sent a message.
      </p>
      <div class="copyable">
        <code ref={code}>{shown.secret}</code>
        <CopyButton source={code} />
      </div>
      {shown.formerUntil !== undefined && (
        <p>
          Former secrets also sign until <Time at={shown.formerUntil} style="seconds" />.
        </p>
      )}
      <div class="buttons">
        <button type="button" class="button primary" onClick={done}>
          I have it, hide it
        </button>
      </div>
    </section>
  );
}

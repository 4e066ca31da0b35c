/** A secret that signs webhooks, shown once. It exists in this view only. */
import { ShownOnce } from '../../app/parts/shown-once.tsx';
import { Time } from '../../app/parts/time.tsx';

export interface NewSecret {
  readonly secret: string;
  /** What it signs for. */
  readonly of: string;
  /** Until when former ones sign, too; undefined: there is none. */
  readonly formerUntil?: string;
}

export function ShownSecret({ shown, done }: { shown: NewSecret; done: () => void }) {
  return (
    <ShownOnce
      title={`The secret of ${shown.of}`}
      about={
        <>
          Copy it now and keep it safe. It is shown only here, only once. With it your receiver{' '}
          <a href="/v1/docs/guide/webhooks#verify" target="_blank" rel="noopener">
            verifies
          </a>{' '}
          (in a new tab) who sent a message.
        </>
      }
      secret={shown.secret}
      done={done}
    >
      {shown.formerUntil !== undefined && (
        <p>
          Former secrets also sign until <Time at={shown.formerUntil} style="seconds" />.
        </p>
      )}
    </ShownOnce>
  );
}

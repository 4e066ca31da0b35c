/** A secret that is shown once, in this view only, with a button to copy it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Copyable } from './copyable.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly secret: string;
  /** The person has it. */
  readonly done: () => void;
  /** What follows the secret. */
  readonly children?: ComponentChildren;
}

/** The focus goes to its heading, so that a screen reader reads it. */
export function ShownOnce({ title, about, secret, done, children }: ShownOnceProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), [secret]);
  return (
    <section class="secret" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{about}</p>
      <Copyable text={secret} />
      {children}
      <div class="buttons">
        <button type="button" class="button primary" onClick={done}>
          I have it, hide it
        </button>
      </div>
    </section>
  );
}

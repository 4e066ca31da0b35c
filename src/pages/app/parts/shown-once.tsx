/** A secret that is shown once, in this view only, with a button to copy it. */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
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

export interface ManyShownOnce<Made> {
  readonly notes: ComponentChildren;
  readonly add: (made: Made) => void;
}

/**
 * Each stays until the person has it; the next one does not take its place, unless it makes the former one useless.
 *
 * @param keyOf the same for two of which the second makes the first useless.
 */
export function useShownOnce<Made>(
  keyOf: (made: Made) => string,
  note: (made: Made, done: () => void) => ComponentChildren,
): ManyShownOnce<Made> {
  const [all, setAll] = useState<readonly Made[]>([]);
  const without = (list: readonly Made[], key: string) => list.filter((each) => keyOf(each) !== key);
  const notes = all.map((made) => (
    <Fragment key={keyOf(made)}>
      {note(made, () => setAll((before) => without(before, keyOf(made))))}
    </Fragment>
  ));
  return { notes, add: (made) => setAll((before) => [made, ...without(before, keyOf(made))]) };
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
        <Button text="I have it, hide it" look="primary" act={done} />
      </div>
    </section>
  );
}

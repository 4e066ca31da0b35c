/** Facts about one thing, as a list of terms. */
import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly title: string;
  /** What is known of it, if that is one thing. */
  readonly value?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A term and what is known of it, within a `dl`. */
export function Fact({ title, value, children }: FactProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value ?? children}</dd>
    </div>
  );
}

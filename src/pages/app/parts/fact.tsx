/** Facts about one thing, as a list of terms. */
import type { ComponentChildren } from 'preact';

/** A term and what is known of it, within a `dl`. */
export function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

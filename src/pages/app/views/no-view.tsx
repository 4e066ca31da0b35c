/** What there is instead of a view: why it cannot be shown, and the way back. */
import type { ComponentChildren } from 'preact';
import { Heading } from '../parts/heading.tsx';
import { HOME } from '../router.ts';

export function NoView({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <main>
      <Heading title={title} />
      {children && <p>{children}</p>}
      <p>
        Go to the <a href={HOME}>overview</a>.
      </p>
    </main>
  );
}

/** The heading of a view. It gets the focus on navigation, so that screen readers announce it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  /** Title of the tab, if the heading is more than text. */
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** The page that had a heading last. The first heading of a page that was just loaded leaves the focus where it is. */
let page: string | undefined;

export function Heading({ title, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
  useEffect(() => {
    const { pathname, search } = location;
    const isFirst = page === undefined;
    const isNew = page !== pathname + search;
    page = pathname + search;
    // Within a page, a later heading takes the focus only if nothing else has it.
    if (!isFirst && (isNew || document.activeElement === document.body)) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

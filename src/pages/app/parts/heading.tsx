/** The heading of a view. It gets the focus on navigation, so that screen readers announce it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  /** Title of the tab, if the heading is more than text. */
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** The first heading of a page that was just loaded leaves the focus where it is. */
let isFirst = true;

export function Heading({ title, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

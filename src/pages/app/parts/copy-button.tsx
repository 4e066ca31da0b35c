/** Copies a text that the page shows. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { copyText, SAID_MS } from '../../copy.ts';

export function CopyButton({ source }: { source: RefObject<HTMLElement | null> }) {
  const [said, say] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => say(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    if (source.current) say(await copyText(source.current));
  };
  return (
    <button type="button" class="button" onClick={copy}>
      {said ?? 'Copy'}
    </button>
  );
}

/** A text with a button to copy it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText, SAID_MS } from '../../copy.ts';
import { Button } from './button.tsx';

export function Copyable({ text }: { readonly text: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => say(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    if (code.current) say(await copyText(code.current));
  };
  return (
    <div class="copyable">
      <code ref={code}>{text}</code>
      <Button text={said ?? 'Copy'} act={copy} />
    </div>
  );
}

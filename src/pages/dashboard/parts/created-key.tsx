/** A new key, shown once. It is in this page only, and gone with the view. */
import { useEffect, useRef } from 'preact/hooks';
import type { CreatedKey } from '../api-types.ts';
import { CopyButton } from './copy-button.tsx';
import { Time } from './time.tsx';

interface CreatedKeyNoteProps {
  readonly created: CreatedKey;
  /** The operator has it. */
  readonly done: () => void;
}

export function CreatedKeyNote({ created: { key, name, previous }, done }: CreatedKeyNoteProps) {
  const code = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="secret" aria-labelledby="created-title">
      <h2 id="created-title" ref={heading} tabIndex={-1}>
        {`The key of “${name}”`}
      </h2>
      <p>Copy it now and keep it safe. It is shown only here, only once: nobody can read it again.</p>
      <div class="copyable">
        <code ref={code}>{key}</code>
        <CopyButton source={code} />
      </div>
      <p class="faint">
        Programs send it as <code>Authorization: Bearer …</code>; the <a href="/v1/docs/guide">guide</a> has
        examples in six languages.
      </p>
      {previous && (
        <p>
          The old key works until <Time at={previous.expiresAt} style="seconds" />.
        </p>
      )}
      <div class="buttons">
        <button type="button" class="button primary" onClick={done}>
          I have it, hide it
        </button>
      </div>
    </section>
  );
}

/** New keys, each shown once. They exist in this view only. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CreatedKey } from '../api-types.ts';
import { SERVICE } from '../place.ts';
import { Copyable } from './copyable.tsx';
import { ShownOnce } from './shown-once.tsx';
import { Time } from './time.tsx';

interface CreatedKeyNoteProps {
  readonly created: CreatedKey;
  /** Whether a command to try it with is shown, too. */
  readonly withExample?: boolean;
  /** The operator has it. */
  readonly done: () => void;
}

export function CreatedKeyNote({
  created: { key, name, previous },
  withExample = false,
  done,
}: CreatedKeyNoteProps) {
  return (
    <ShownOnce
      title={`The key of “${name}”`}
      about="Copy it now and keep it safe. It is shown only here, and only once."
      secret={key}
      done={done}
    >
      <p class="faint">
        Programs send it as <code>Authorization: Bearer …</code>; the{' '}
        <a href="/v1/docs/guide" target="_blank" rel="noopener">
          guide
        </a>{' '}
        (in a new tab) has examples in six languages.
      </p>
      {withExample && <Copyable text={exampleOf(key)} />}
      {previous && (
        <p>
          The old key works until <Time at={previous.expiresAt} style="seconds" />.
        </p>
      )}
    </ShownOnce>
  );
}

/** Converts a document, as it is pasted. */
function exampleOf(key: string): string {
  return `curl -f -o document.pdf -H 'Authorization: Bearer ${key}' -F file=@document.docx ${SERVICE}/v1/convert`;
}

interface CreatedKeys {
  readonly notes: ComponentChildren;
  readonly add: (created: CreatedKey) => void;
}

/** Each new key stays until the operator has copied it; the next one does not replace it. */
export function useCreatedKeys({ withExample = false } = {}): CreatedKeys {
  const [keys, setKeys] = useState<readonly CreatedKey[]>([]);
  const notes = keys.map((created) => (
    <CreatedKeyNote
      key={created.id}
      created={created}
      withExample={withExample}
      done={() => setKeys((before) => before.filter(({ id }) => id !== created.id))}
    />
  ));
  return { notes, add: (created) => setKeys((before) => [created, ...before]) };
}

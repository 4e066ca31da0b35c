/** New keys, each shown once. They exist in this view only. */
import { curlCommand } from '../../../shared/curl-command.ts';
import type { CreatedKey } from '../api-types.ts';
import { SERVICE } from '../place.ts';
import { Copyable } from './copyable.tsx';
import { type ManyShownOnce, ShownOnce, useShownOnce } from './shown-once.tsx';
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

/** A command that converts a document, as it is pasted. @param key may be a variable of the shell. */
export function exampleOf(key: string): string {
  return curlCommand(
    'document.pdf',
    `-H ${quoted(`Authorization: Bearer ${key}`)} -F file=@document.docx ${SERVICE}/v1/convert`,
  );
}

/** For a shell, which reads variables between double quotes only. */
const quoted = (text: string): string => (text.includes('$') ? `"${text}"` : `'${text}'`);

/** New keys, all of which stay until the operator has copied them. */
export function useCreatedKeys({ withExample = false } = {}): ManyShownOnce<CreatedKey> {
  return useShownOnce(
    ({ id }) => id,
    (created, done) => <CreatedKeyNote created={created} withExample={withExample} done={done} />,
  );
}

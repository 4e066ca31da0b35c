/** The search field of every view. */
import { useState } from 'preact/hooks';
import { HOME, navigate } from '../router.ts';
import { secretIn } from '../words.ts';

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  /** Most characters that may be typed or pasted. */
  readonly maxLength: number;
  /** The path of what is looked for by something else than an id. */
  readonly otherwise: (wanted: string) => string;
}

/** Finds a request, job or key by its id, also within a text that is pasted. */
export function Search({ label, placeholder, maxLength, otherwise }: SearchProps) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    setText('');
    navigate(`${HOME}/${placeById(wanted) ?? otherwise(wanted)}`);
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          maxLength={maxLength}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button small">
          Find
        </button>
      </form>
    </search>
  );
}

/** A secret is never searched for: the page of keys says so. */
function placeById(wanted: string): string | undefined {
  const secret = secretIn(wanted);
  if (secret) return `keys?pasted=${secret}`;
  const [request] = /req_\w*/.exec(wanted) ?? [];
  if (request !== undefined) return `requests/${request}`;
  const [job] = /job_\w*/.exec(wanted) ?? [];
  if (job !== undefined) return `jobs/${job}`;
  const [key] = /\bkey_[0-9a-f]{18}\b/.exec(wanted) ?? [];
  return key === undefined ? undefined : `keys/${key}`;
}

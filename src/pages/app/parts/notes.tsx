/** Placeholders for missing content: why it is missing, or that it is loading. */
import type { ComponentChildren } from 'preact';
import type { Failure } from '../api.ts';
import type { Resource } from '../hooks.ts';
import { Button } from './button.tsx';

/** With the request id, by which the log says more; not for missing things, of which the log says no more. */
export function FailureNote({ failure, retry }: { failure: Failure; retry?: () => void }) {
  return (
    <div class="note bad" role="alert">
      <p>{failure.message}</p>
      {failure.requestId !== undefined && failure.code !== 'NOT_FOUND' && (
        <p class="faint">
          Request id: <code>{failure.requestId}</code>
        </p>
      )}
      {retry && <Button text="Try again" look="small" act={retry} />}
    </div>
  );
}

/** The state of a resource, then its data. */
export function Loaded<T>({
  resource,
  children,
}: {
  resource: Omit<Resource<T>, 'set'>;
  children: (data: T) => ComponentChildren;
}) {
  const { data, failure, reload } = resource;
  return (
    <>
      {failure && <FailureNote failure={failure} retry={reload} />}
      {data === undefined && !failure && <p class="faint">Loading …</p>}
      {data !== undefined && children(data)}
    </>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Shown when a secret was pasted into another field. */
export function SecretNote({ isToken }: { isToken: boolean }) {
  return (
    <p class="note warn" role="status">
      {isToken
        ? 'That was the operator token. It is for signing in only: if somebody else may have seen it, set another one.'
        : 'That was a whole key. Search by its id instead, and keep the key itself out of search fields. If it was quoted in a message, rotate it.'}
    </p>
  );
}

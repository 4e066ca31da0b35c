/** Hooks for reading and changing data. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './api.ts';

export interface Resource<T> {
  /** The last result; undefined until then. */
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => void;
  /** Whether the result belongs to the previous key, while that of the new one is loading. */
  readonly isOutdated: boolean;
  /**
   * Replaces the result without a request. Drops a request under way and an earlier failure, as both are older.
   *
   * @param of the result that it extends; no effect if another was read since.
   */
  readonly set: (data: T, of?: T) => void;
}

/**
 * Reads something, again when `key` changes. Late results are dropped.
 *
 * @param load throws Failure.
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [shown, show] = useState<{ readonly key: string; readonly data: T }>();
  const [failure, setFailure] = useState<Failure>();
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const pending = useRef<AbortController>(undefined);
  useEffect(() => {
    const left = new AbortController();
    pending.current = left;
    latest.current(left.signal).then(
      (loaded) => {
        if (left.signal.aborted) return;
        show({ key, data: loaded });
        setFailure(undefined);
      },
      (error) => {
        if (left.signal.aborted) return;
        setFailure(failureOf(error));
        // Otherwise the figures of one month would appear under the name of another.
        show((before) => (before?.key === key ? before : undefined));
      },
    );
    return () => left.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const set = (data: T, of?: T) => {
    if (of === undefined) {
      pending.current?.abort();
      setFailure(undefined);
    }
    show((now) => (of === undefined || now?.data === of ? { key, data } : now));
  };
  const isOutdated = shown !== undefined && shown.key !== key;
  return { data: shown?.data, failure, isOutdated, reload, set };
}

/** A list that is read a page at a time. */
export interface List<Page> extends Resource<Page> {
  /** Reads the next page, and appends it. @throws Failure */
  readonly readMore: () => Promise<void>;
}

/**
 * Reads the first page of a list, again when `key` changes.
 *
 * @param rows the field of a page that has its rows.
 * @param readPage gets what the page begins after, the `next` of the page before; empty for the first. Throws Failure.
 */
export function useList<
  Rows extends string,
  Page extends { readonly next: string | null } & Readonly<Record<Rows, readonly unknown[]>>,
>(key: string, rows: Rows, readPage: (after: string, signal?: AbortSignal) => Promise<Page>): List<Page> {
  const resource = useResource(key, (signal) => readPage('', signal));
  const readMore = async () => {
    const { data, isOutdated } = resource;
    if (!data || isOutdated) return;
    const page = await readPage(data.next ?? '');
    // A page that arrives late must not bring back the list as it was at the time of the request.
    resource.set({ ...page, [rows]: [...data[rows], ...page[rows]] }, data);
  };
  return { ...resource, readMore };
}

export interface Action {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** Runs one action at a time. @returns whether it succeeded. */
  readonly run: (act: () => Promise<void>) => Promise<boolean>;
}

/** An action of the operator, with its state and failure. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const begunBy = useRef<Element | null>(null);
  // A button that was disabled meanwhile has lost the focus.
  useEffect(() => {
    if (isBusy || document.activeElement !== document.body) return;
    if (begunBy.current instanceof HTMLElement) begunBy.current.focus({ preventScroll: true });
  }, [isBusy]);
  const run = async (act: () => Promise<void>) => {
    if (isBusy) return false;
    begunBy.current = document.activeElement;
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}

/** Debounces a value while somebody types. */
export function useSettled<T>(value: T, milliseconds = 250): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // A mistake of the page itself, which its console has.
  console.error(error);
  return new Failure('UNKNOWN', 'Something on this page failed. Reload it.');
}

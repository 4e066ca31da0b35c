/** A part of a page with a list: it is read a page at a time, of one choice at a time. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useList } from '../hooks.ts';
import { Empty, Loaded } from './notes.tsx';
import { type Column, More, Table } from './table.tsx';

interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** What the next page begins after; null: there is none. */
  readonly next: string | null;
}

/** @param after of the page before; empty for the first. @throws Failure */
type ReadPage<Row> = (choice: string, after: string, signal?: AbortSignal) => Promise<ListPage<Row>>;

interface ListSectionProps<Row> {
  readonly id: string;
  readonly title: string;
  /** What is read; a change reads it anew. */
  readonly of: string;
  readonly readPage: ReadPage<Row>;
  /** Label of the choice. */
  readonly choose?: string;
  /** Labels by value; the first is chosen. None: there is no choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Chosen at first, in place of the first. */
  readonly first?: string | undefined;
  /** More to choose by; `of` changes with it. */
  readonly filter?: ComponentChildren;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Shown in place of rows. */
  readonly empty: string;
  /** What follows the list. */
  readonly children?: ComponentChildren;
}

export function ListSection<Row>(props: ListSectionProps<Row>) {
  const {
    id,
    title,
    of,
    readPage,
    choose,
    choices = {},
    first,
    filter,
    columns,
    keyOf,
    empty,
    children,
  } = props;
  const [choice, setChoice] = useState(first && first in choices ? first : (Object.keys(choices)[0] ?? ''));
  const resource = useList(`${of} ${choice}`, 'rows', (after, signal) => readPage(choice, after, signal));
  return (
    <section class="part" id={id} aria-busy={resource.isOutdated}>
      <div class="title">
        <h2>{title}</h2>
        <div class="filter">
          {filter}
          {choose && (
            <select
              aria-label={choose}
              value={choice}
              onChange={({ currentTarget }) => setChoice(currentTarget.value)}
            >
              {Object.entries(choices).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
          <button type="button" class="button small" onClick={resource.reload}>
            Refresh
          </button>
        </div>
      </div>
      <Loaded resource={resource}>
        {(list) => (
          <>
            {list.rows.length === 0 ? (
              <Empty>{empty}</Empty>
            ) : (
              <Table caption={title} columns={columns} rows={list.rows} keyOf={keyOf} />
            )}
            {list.next !== null && <More show={resource.readMore} />}
          </>
        )}
      </Loaded>
      {children}
    </section>
  );
}

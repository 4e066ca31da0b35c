/** A part of a page with a list: it is read a page at a time, of one choice at a time. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useList } from '../hooks.ts';
import { Button } from './button.tsx';
import { Select } from './fields.tsx';
import { type Column, Pages, Table } from './table.tsx';

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
            <Select aria-label={choose} options={Object.entries(choices)} value={choice} choose={setChoice} />
          )}
          <Button text="Refresh" look="small" act={resource.reload} />
        </div>
      </div>
      <Pages resource={resource}>
        {({ rows }) => <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} empty={empty} />}
      </Pages>
      {children}
    </section>
  );
}

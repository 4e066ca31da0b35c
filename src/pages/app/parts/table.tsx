/** A table that becomes a list of labelled cards on a phone. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type List, useAction } from '../hooks.ts';
import { Button } from './button.tsx';
import { useMayChange } from './may-change.tsx';
import { Empty, FailureNote, Loaded } from './notes.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Whether it is hidden on phones. */
  readonly isMinor?: boolean;
  /** Whether it is only for those who may change something. */
  readonly changes?: boolean;
}

interface TableProps<Row> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown in place of rows, if there are none. */
  readonly empty?: string;
}

export function Table<Row>({ empty, ...table }: TableProps<Row>) {
  return empty !== undefined && table.rows.length === 0 ? <Empty>{empty}</Empty> : <Rows {...table} />;
}

function Rows<Row>({ caption, columns: all, rows, keyOf }: Omit<TableProps<Row>, 'empty'>) {
  const mayChange = useMayChange();
  const columns = all.filter(({ changes = false }) => mayChange || !changes);
  const table = useRef<HTMLTableElement>(null);
  const hadFocus = table.current?.contains(document.activeElement) === true;
  // The button that had the focus is gone, with its row or because nothing is left to do.
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) table.current?.focus({ preventScroll: true });
  });
  return (
    <table class="table" ref={table} tabIndex={-1}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.title} data-title={column.title} class={classOf(column)}>
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ isNumber, isMinor }: { isNumber?: boolean; isMinor?: boolean }): string {
  return [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ');
}

interface PagesProps<Page> {
  readonly resource: Omit<List<Page>, 'set'>;
  readonly children: (pages: Page) => ComponentChildren;
}

/** The pages of a list that were read, and the way to the next one. */
export function Pages<Page extends { readonly next: string | null }>({
  resource,
  children,
}: PagesProps<Page>) {
  return (
    <Loaded resource={resource}>
      {(pages) => (
        <>
          {children(pages)}
          {pages.next !== null && <More show={resource.readMore} />}
        </>
      )}
    </Loaded>
  );
}

/** Loads the next page of a list. @param show throws Failure. */
function More({ show }: { show: () => Promise<void> }) {
  const { isBusy, failure, run } = useAction();
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      <div class="buttons">
        <Button text="Show more" look="small" isBusy={isBusy} act={() => run(show)} />
      </div>
    </>
  );
}

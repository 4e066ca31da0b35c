/** One request, by the id that a customer quotes: what it was answered, and why. */
import type { ComponentChildren } from 'preact';
import { levelOf, type WarningLevel } from '../../../shared/warning-levels.ts';
import { formatBytes } from '../../format.ts';
import { Failure, pathOf, read } from '../api.ts';
import type { Conversion, RequestRecord } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { stateOf } from '../parts/badges.tsx';
import { Fact } from '../parts/fact.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { explain, formatDuration, outcomeTitle, warningTextOf } from '../words.ts';

/** As `X-Request-Id` has it. */
const ID = /^req_[0-9a-f]{32}$/;

/** The routes of conversions. */
const CONVERSIONS = ['/v1/convert', '/v1/combine'];
const NO_REPORT =
  'There is none: reports are kept for 24 hours, and a request that was refused before its document was read has none.';

interface RequestProps {
  readonly id: string;
  /** What customers do about an outcome; undefined: it is shown to the operator. */
  readonly advice?: (outcome: string) => ComponentChildren;
}

export function Request({ id, advice }: RequestProps) {
  return (
    <main>
      <Heading title="Request" />
      <p>
        <code>{id}</code>
      </p>
      {ID.test(id) ? (
        <Found id={id} advice={advice} />
      ) : (
        <p class="note warn">
          That is no whole request id: “req_” is followed by 32 digits and letters from a to f. Ask for the{' '}
          <code>X-Request-Id</code> of the answer, or the <code>requestId</code> of the error.
        </p>
      )}
    </main>
  );
}

type Advice = RequestProps['advice'] | undefined;

function Found({ id, advice }: { id: string; advice: Advice }) {
  const resource = useResource(id, (signal) => read<RequestRecord>(pathOf('requests', id), { signal }));
  return <Loaded resource={resource}>{(record) => <Details record={record} advice={advice} />}</Loaded>;
}

function Details({ record, advice }: { record: RequestRecord; advice: Advice }) {
  const { outcome, reason, status, account, key, keyDisplay, environment, at, method, route } = record;
  const title = outcomeTitle(outcome, record.warnings);
  return (
    <>
      <p class={`state ${stateOf(outcome, record.warnings)}`}>
        <strong>{status === null ? title : `${status} ${title}.`}</strong>{' '}
        {record.message !== null && <q>{record.message}</q>} {advice ? advice(outcome) : explain(record)}
      </p>
      <dl class="facts card">
        <Fact title="Time" value={<Time at={at} style="seconds" />} />
        {!advice && <Fact title="Account" value={<a href={`${HOME}/accounts/${account}`}>{account}</a>} />}
        <Fact title="Key">
          <a href={`${HOME}/keys/${key}`}>{keyDisplay ?? key}</a>
          {` (${environment})`}
        </Fact>
        <Fact title="Request" value={`${method} ${route}`} />
        {!advice && <Fact title="Reason" value={reason ?? '–'} />}
        <Fact title="Pages" value={record.pages ?? '–'} />
        <Fact title="Document" value={sizeOf(record.bytesIn)} />
        <Fact title="PDF" value={sizeOf(record.bytesOut)} />
        <Fact title="LibreOffice" value={record.libreOffice ?? '–'} />
        <Fact title="Took" value={formatDuration(record.durationMs)} />
        <Fact title="Upload" value={timeOf(record.uploadMs)} />
        <Fact title="Wait in the queue" value={timeOf(record.queueMs)} />
        <Fact title="Conversion" value={timeOf(record.convertMs)} />
      </dl>
      {record.warnings !== null && (
        <>
          <Warnings level="loss" title="What the PDF lacks" codes={record.warnings} />
          <Warnings level="note" title="Notes" codes={record.warnings} />
        </>
      )}
      {advice && CONVERSIONS.includes(record.route) && <Report id={record.requestId} />}
    </>
  );
}

/** What the account alone sees, for a day: the names of fonts are its document's. */
function Report({ id }: { id: string }) {
  const resource = useResource(id, (signal) =>
    read<Conversion>(pathOf('requests', id, 'conversion'), { signal }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'NOT_FOUND') return null;
      throw error;
    }),
  );
  return (
    <section class="part" id="report">
      <h2>Report</h2>
      <Loaded resource={resource}>
        {(conversion) => (conversion === null ? <Empty>{NO_REPORT}</Empty> : <Reported of={conversion} />)}
      </Loaded>
    </section>
  );
}

function Reported({
  of: { pages, wordPages, pagination, receipt, fonts, warnings, accessibility },
}: {
  of: Conversion;
}) {
  const options = Object.entries(receipt?.options ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <>
      <dl class="facts card">
        <Fact title="Pages of the PDF" value={pages ?? '–'} />
        <Fact title="Pages in Word" value={wordPages ?? 'unknown'} />
        <Fact
          title="Page breaks"
          value={
            pagination === null
              ? '–'
              : `${pagination.by === 'word' ? 'as in Word' : 'of LibreOffice'} (${pagination.reason})`
          }
        />
        <Fact title="Options" value={options.join(', ') || 'none'} />
        <Fact
          title="For readers who cannot see it"
          value={accessibility.length === 0 ? 'nothing is missing' : `${accessibility.length} to improve`}
        />
      </dl>
      {warnings.length > 0 && (
        <ul class="messages">
          {warnings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {fonts.length > 0 && (
        <Table caption="Fonts" columns={fontColumns} rows={fonts} keyOf={({ name }) => name} />
      )}
    </>
  );
}

const fontColumns: readonly Column<Conversion['fonts'][number]>[] = [
  { title: 'Font of the document', cell: ({ name }) => name },
  {
    title: 'In the PDF',
    cell: ({ name, used }) => (used === null ? 'unknown' : used === name ? 'the same' : used),
  },
  {
    title: 'Widths',
    cell: ({ name, used, metricsCompatible }) =>
      used === name || metricsCompatible ? 'the same' : 'may differ',
  },
];

interface WarningsProps {
  readonly level: WarningLevel;
  readonly title: string;
  readonly codes: readonly string[];
}

function Warnings({ level, title, codes }: WarningsProps) {
  const shown = codes.filter((code) => levelOf(code) === level);
  return (
    <section class="part" id={level}>
      <h2>{title}</h2>
      {shown.length === 0 && <p class="faint">Nothing is known.</p>}
      <dl class="facts">
        {shown.map((code) => (
          <Fact key={code} title={code} value={warningTextOf(code)} />
        ))}
      </dl>
    </section>
  );
}

function sizeOf(bytes: number | null): string {
  return bytes === null ? '–' : formatBytes(bytes);
}

function timeOf(milliseconds: number | null): string {
  return milliseconds === null ? '–' : formatDuration(milliseconds);
}

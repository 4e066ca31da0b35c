/** One request, by the id that a customer quotes: what it was answered, and why. */
import type { ComponentChildren } from 'preact';
import { levelOf, type WarningLevel } from '../../../shared/warning-levels.ts';
import { formatBytes } from '../../format.ts';
import { pathOf, read } from '../api.ts';
import type { RequestRecord } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { stateOf } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { explain, formatDuration, outcomeTitle, warningTextOf } from '../words.ts';

/** As `X-Request-Id` has it. */
const ID = /^req_[0-9a-f]{32}$/;

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
        {advice ? advice(outcome) : explain(record)}
      </p>
      <dl class="facts card">
        <Fact title="Time">
          <Time at={at} style="seconds" />
        </Fact>
        {!advice && (
          <Fact title="Account">
            <a href={`${HOME}/accounts/${account}`}>{account}</a>
          </Fact>
        )}
        <Fact title="Key">
          <a href={`${HOME}/keys/${key}`}>{keyDisplay ?? key}</a>
          {` (${environment})`}
        </Fact>
        <Fact title="Request">{`${method} ${route}`}</Fact>
        {!advice && <Fact title="Reason">{reason ?? '–'}</Fact>}
        <Fact title="Pages">{record.pages ?? '–'}</Fact>
        <Fact title="Document">{sizeOf(record.bytesIn)}</Fact>
        <Fact title="PDF">{sizeOf(record.bytesOut)}</Fact>
        <Fact title="LibreOffice">{record.libreOffice ?? '–'}</Fact>
        <Fact title="Took">{formatDuration(record.durationMs)}</Fact>
        <Fact title="Upload">{timeOf(record.uploadMs)}</Fact>
        <Fact title="Wait in the queue">{timeOf(record.queueMs)}</Fact>
        <Fact title="Conversion">{timeOf(record.convertMs)}</Fact>
      </dl>
      {record.warnings !== null && (
        <>
          <Warnings level="loss" title="What the PDF lacks" codes={record.warnings} />
          <Warnings level="note" title="Notes" codes={record.warnings} />
        </>
      )}
    </>
  );
}

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
          <Fact key={code} title={code}>
            {warningTextOf(code)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Fact({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function sizeOf(bytes: number | null): string {
  return bytes === null ? '–' : formatBytes(bytes);
}

function timeOf(milliseconds: number | null): string {
  return milliseconds === null ? '–' : formatDuration(milliseconds);
}

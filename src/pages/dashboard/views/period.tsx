/** What all servers did in an hour or a day: plots, and how requests ended. */
import type { Period } from '../../app/api-types.ts';
import { stateOf } from '../../app/parts/badges.tsx';
import { Fact } from '../../app/parts/fact.tsx';
import { Empty } from '../../app/parts/notes.tsx';
import { Plot } from '../../app/parts/plot.tsx';
import { HOME } from '../../app/router.ts';
import {
  formatClock,
  formatDuration,
  formatNumber,
  formatRate,
  formatWithUtc,
  outcomeTitle,
} from '../../app/words.ts';

interface PeriodProps {
  readonly period: Period;
  readonly span: 'hour' | 'day';
}

const inTime = (seconds: number) => formatWithUtc(new Date(seconds * 1_000));
const atAxis = (seconds: number) => formatClock(new Date(seconds * 1_000));

export function PeriodFigures({ period: { stepSeconds, steps, total }, span }: PeriodProps) {
  const times = steps.map(({ at }) => Date.parse(at) / 1_000);
  const perMinute = 60 / stepSeconds;
  const common = { times, formatTime: inTime, formatTick: atAxis };
  const quantiles = (name: 'queueMs' | 'convertMs') =>
    [
      {
        label: 'p95',
        color: '--plot-2',
        kind: 'line',
        values: steps.map((step) => step[name]?.p95 ?? null),
      },
      {
        label: 'p50',
        color: '--plot-1',
        kind: 'line',
        values: steps.map((step) => step[name]?.p50 ?? null),
      },
    ] as const;
  const all = Object.values(total.outcomes).reduce((sum, count) => sum + count, 0);
  return (
    <div id="period">
      <dl class="summary">
        <Figure
          title="Conversions"
          value={formatNumber(total.conversions)}
          to={toRequests('success', span)}
        />
        <Figure
          title="Not converted"
          value={formatNumber(all - total.conversions)}
          to={toRequests('failures', span)}
        />
        <Figure
          title="Conversion, p50 and p95"
          value={pair(total.convertMs)}
          to={toRequests('success', span)}
        />
        <Figure
          title="Wait in the queue, p50 and p95"
          value={pair(total.queueMs)}
          to={toRequests('', span)}
        />
      </dl>
      <div class="plots">
        <Plot
          {...common}
          title="Conversions per minute"
          empty={`No request in the last ${span}.`}
          format={formatRate}
          series={[
            {
              label: 'not converted',
              color: '--plot-bad',
              kind: 'bars',
              values: steps.map(({ outcomes, conversions }) => (sum(outcomes) - conversions) * perMinute),
            },
            {
              label: 'converted',
              color: '--plot-1',
              kind: 'bars',
              values: steps.map(({ conversions }) => conversions * perMinute),
            },
          ]}
        />
        <Plot
          {...common}
          title="Time of a conversion"
          empty={`No conversion in the last ${span}.`}
          format={formatDuration}
          series={quantiles('convertMs')}
        />
        <Plot
          {...common}
          title="Wait in the queue"
          empty={`No conversion in the last ${span}.`}
          format={formatDuration}
          series={quantiles('queueMs')}
        />
        <Outcomes outcomes={total.outcomes} all={all} span={span} />
      </div>
    </div>
  );
}

/** The requests behind a figure: those with a key. */
function toRequests(outcome: string, span: string): string {
  return `${HOME}/requests?span=${span}${outcome === '' ? '' : `&outcome=${outcome}`}`;
}

function Figure({ title, value, to }: { title: string; value: string; to: string }) {
  return <Fact title={title} value={<a href={to}>{value}</a>} />;
}

function Outcomes({
  outcomes,
  all,
  span,
}: {
  outcomes: Period['total']['outcomes'];
  all: number;
  span: string;
}) {
  const sorted = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  return (
    <section class="plot" aria-labelledby="outcomes-title">
      <h3 id="outcomes-title">Outcomes</h3>
      {sorted.length === 0 && <Empty>{`No request in the last ${span}.`}</Empty>}
      <ul class="outcomes">
        {sorted.map(([outcome, count]) => (
          <li key={outcome} data-level={stateOf(outcome)}>
            <a class="outcome" href={toRequests(outcome, span)}>
              {outcomeTitle(outcome)}
            </a>
            <span class="number">{formatNumber(count)}</span>
            <span class="track" aria-hidden="true">
              <span class="fill" style={{ width: `${(count / all) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function pair(quantiles: Period['total']['queueMs']): string {
  return quantiles ? `${formatDuration(quantiles.p50)} · ${formatDuration(quantiles.p95)}` : '–';
}

function sum(outcomes: Readonly<Record<string, number>>): number {
  return Object.values(outcomes).reduce((total, count) => total + count, 0);
}

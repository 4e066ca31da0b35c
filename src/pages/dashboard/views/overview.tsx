/** How the service is now, and what it did in the last hour and day. */
import { useState } from 'preact/hooks';
import type { Overview as OverviewData } from '../../app/api-types.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { FailureNote } from '../../app/parts/notes.tsx';
import { Time } from '../../app/parts/time.tsx';
import type { Live } from '../live.ts';
import { PeriodFigures } from './period.tsx';
import { ServerFigures } from './server.tsx';
import { ServerTable } from './servers.tsx';

export function Overview({ live: { overview, isConnected, failure } }: { live: Live }) {
  return (
    <main>
      <div class="title">
        <Heading title="Overview" />
        {overview && (
          <p class="faint">
            {`${isConnected ? 'Live' : 'Not live, connecting again'} · as of `}
            <Time at={overview.at} style="seconds" />
          </p>
        )}
      </div>
      {failure && <FailureNote failure={failure} />}
      {overview ? <Figures overview={overview} /> : !failure && <p class="faint">Loading …</p>}
    </main>
  );
}

function Figures({ overview: { server, servers, lastHour, lastDay } }: { overview: OverviewData }) {
  const [span, setSpan] = useState<'hour' | 'day'>('hour');
  const period = span === 'hour' ? lastHour : lastDay;
  return (
    <>
      <State server={server} />
      <ServerFigures server={server} />
      <ServerTable servers={servers} />
      <div class="title">
        <h2>Traffic of all servers</h2>
        <fieldset class="choice">
          <legend class="visually-hidden">Period</legend>
          {(['hour', 'day'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name="span" checked={span === each} onChange={() => setSpan(each)} />
              <span>{each === 'hour' ? 'Last hour' : 'Last day'}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {period ? (
        <PeriodFigures key={span} period={period} span={span} />
      ) : (
        <p class="note bad">Redis is away, so there are no figures.</p>
      )}
    </>
  );
}

function State({ server: { status, problem, maintenance, phase } }: { server: OverviewData['server'] }) {
  if (maintenance.on) {
    return (
      <p class="state warn">
        <strong>Maintenance.</strong> Conversions are refused
        {maintenance.since !== null && (
          <>
            {' since '}
            <Time at={maintenance.since} />
          </>
        )}
        {maintenance.until !== null && (
          <>
            , expected to end <Time at={maintenance.until} />
          </>
        )}
        {maintenance.reason !== null && `: ${maintenance.reason}`}.{' '}
        <a href="/dashboard/maintenance">Turn it off</a>
      </p>
    );
  }
  if (status === 'ok') {
    return (
      <p class="state good">
        <strong>All is well.</strong> A conversion would succeed now.
      </p>
    );
  }
  const doing =
    phase === 'starting' ? 'The server is starting.' : phase === 'draining' ? 'The server is stopping.' : '';
  return (
    <p class="state bad" role="alert">
      <strong>Conversions are refused.</strong> {problem ?? doing}
    </p>
  );
}

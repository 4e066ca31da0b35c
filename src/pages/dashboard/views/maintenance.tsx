/** The maintenance mode, on and off, and the banner for customers. */
import { useEffect, useState } from 'preact/hooks';
import { change, read } from '../../app/api.ts';
import type { Maintenance as Mode } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { TextField, TimeField } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { Time } from '../../app/parts/time.tsx';
import { formatUtc } from '../../app/words.ts';
import type { Live } from '../live.ts';
import { Banner } from './banner.tsx';

const PATH = '/maintenance';

export function Maintenance({ live: { overview, isConnected } }: { live: Live }) {
  const resource = useResource('', (signal) => read<Mode>(PATH, { signal }));
  // Somebody else may turn it, too. Without Redis the service does not know, and without a connection this page does not.
  const known = isConnected && overview?.server.redis.up ? overview.server.maintenance : undefined;
  useEffect(() => {
    if (known) resource.set(known);
  }, [known?.on, known?.since, known?.reason, known?.until]);
  /** What the operator is asked about: the question stays the same while they read it. */
  const [wanted, want] = useState<boolean>();
  return (
    <main>
      <Heading title="Maintenance" />
      <p>
        In maintenance mode every server answers conversions with 503 <code>SERVICE_UNAVAILABLE</code>, and
        says when to try again. Conversions that run finish. Load balancers see it in <code>/health</code>.
      </p>
      <Loaded resource={resource}>
        {({ on, since, reason, until }) => (
          <>
            <p class={`state ${on ? 'warn' : 'good'}`} role="status">
              {on ? (
                <>
                  <strong>Maintenance is on</strong>
                  {since !== null && (
                    <>
                      {' since '}
                      <Time at={since} style="seconds" />
                    </>
                  )}
                  {until !== null && (
                    <>
                      , expected to end <Time at={until} />
                    </>
                  )}
                  . Conversions are refused{reason !== null && `: ${reason}`}.
                </>
              ) : (
                <>
                  <strong>Maintenance is off.</strong> Conversions are taken.
                </>
              )}
            </p>
            <Changes>
              <div class="buttons">
                <Button
                  text={on ? 'Turn maintenance off' : 'Turn maintenance on'}
                  look={on ? 'primary' : 'danger'}
                  act={() => want(!on)}
                />
              </div>
            </Changes>
            {wanted === true && <TurnOn turned={resource.set} close={() => want(undefined)} />}
            {wanted === false && (
              <Dialog
                title="Accept conversions again?"
                action="Turn it off"
                act={async () => resource.set(await change<Mode>('PUT', PATH, { on: false }))}
                close={() => want(undefined)}
              >
                <p>Every server accepts conversions from now on.</p>
              </Dialog>
            )}
          </>
        )}
      </Loaded>
      <Banner />
    </main>
  );
}

function TurnOn({ turned, close }: { turned: (mode: Mode) => void; close: () => void }) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const end = until === '' ? undefined : new Date(until);
  const isOver = end !== undefined && !(end.getTime() > Date.now());
  const act = async () => {
    const notice = {
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...(end && { until: end.toISOString() }),
    };
    turned(await change<Mode>('PUT', PATH, { on: true, ...notice }));
  };
  return (
    <Dialog
      title="Refuse all conversions?"
      action="Turn it on"
      isDangerous
      isReady={!isOver}
      act={act}
      close={close}
    >
      <p>
        From now on every customer gets 503, on every server, until you turn it off again. Running conversions
        finish.
      </p>
      <TextField
        title="Reason (optional)"
        hint="Customers see it."
        maxLength={200}
        value={reason}
        set={setReason}
      />
      <TimeField
        title="Expected end (optional)"
        hint={end ? formatUtc(end) : 'In your time zone. Customers are told to try again then.'}
        mistake={isOver ? 'That is not in the future.' : undefined}
        value={until}
        set={setUntil}
      />
    </Dialog>
  );
}

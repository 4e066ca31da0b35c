/** The maintenance mode, on and off. */
import { useEffect, useState } from 'preact/hooks';
import { change, read } from '../api.ts';
import type { Maintenance as Mode } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import type { Live } from '../live.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';

const PATH = '/maintenance';

export function Maintenance({ live: { overview } }: { live: Live }) {
  const resource = useResource('', (signal) => read<Mode>(PATH, { signal }));
  // Somebody else may turn it, too. Without Redis the service does not know.
  const known = overview?.server.redis.up ? overview.server.maintenance : undefined;
  useEffect(() => {
    if (known) resource.set(known);
  }, [known?.on, known?.since]);
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
        {({ on, since }) => (
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
                  . Conversions are refused.
                </>
              ) : (
                <>
                  <strong>Maintenance is off.</strong> Conversions are taken.
                </>
              )}
            </p>
            <div class="buttons">
              <button type="button" class={`button ${on ? 'primary' : 'danger'}`} onClick={() => want(!on)}>
                {on ? 'Turn maintenance off' : 'Turn maintenance on'}
              </button>
            </div>
            {wanted !== undefined && (
              <Dialog
                title={wanted ? 'Refuse all conversions?' : 'Take conversions again?'}
                action={wanted ? 'Turn it on' : 'Turn it off'}
                isDangerous={wanted}
                act={async () => resource.set(await change<Mode>('PUT', PATH, { on: wanted }))}
                close={() => want(undefined)}
              >
                <p>
                  {wanted
                    ? 'From now on every customer gets 503, on every server, until you turn it off again. What runs finishes.'
                    : 'Every server takes conversions from now on.'}
                </p>
              </Dialog>
            )}
          </>
        )}
      </Loaded>
    </main>
  );
}

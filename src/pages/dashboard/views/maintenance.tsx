/** The maintenance mode, on and off. */
import { useState } from 'preact/hooks';
import { change, read } from '../api.ts';
import type { Maintenance as Mode } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';

const PATH = '/maintenance';

export function Maintenance() {
  const resource = useResource('', (signal) => read<Mode>(PATH, { signal }));
  const [asks, setAsks] = useState(false);
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
              <button
                type="button"
                class={`button ${on ? 'primary' : 'danger'}`}
                onClick={() => setAsks(true)}
              >
                {on ? 'Turn maintenance off' : 'Turn maintenance on'}
              </button>
            </div>
            {asks && (
              <Dialog
                title={on ? 'Take conversions again?' : 'Refuse all conversions?'}
                action={on ? 'Turn it off' : 'Turn it on'}
                isDangerous={!on}
                act={async () => resource.set(await change<Mode>('PUT', PATH, { on: !on }))}
                close={() => setAsks(false)}
              >
                <p>
                  {on
                    ? 'Every server takes conversions from now on.'
                    : 'From now on every customer gets 503, on every server, until you turn it off again. What runs finishes.'}
                </p>
              </Dialog>
            )}
          </>
        )}
      </Loaded>
    </main>
  );
}

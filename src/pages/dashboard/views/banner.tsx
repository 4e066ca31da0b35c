/** The banner for customers. */
import { useState } from 'preact/hooks';
import { change, read } from '../../app/api.ts';
import type { BannerState } from '../../app/api-types.ts';
import { useAction, useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { TextField, TimeField } from '../../app/parts/fields.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { FailureNote, Loaded } from '../../app/parts/notes.tsx';
import { Time } from '../../app/parts/time.tsx';
import { formatUtc } from '../../app/words.ts';

const PATH = '/banner';

export function Banner() {
  const resource = useResource('', (signal) => read<BannerState>(PATH, { signal }));
  const [asks, setAsks] = useState(false);
  const { isBusy, failure, run } = useAction();
  const remove = async () => resource.set(await change<BannerState>('DELETE', PATH));
  return (
    <section class="part" id="banner">
      <h2>Banner for customers</h2>
      <Loaded resource={resource}>
        {({ banner }) => (
          <>
            {banner ? (
              <p class="state warn">
                {banner.text}
                {banner.until !== null && (
                  <span class="faint">
                    {' '}
                    (until <Time at={banner.until} />)
                  </span>
                )}
              </p>
            ) : (
              <p class="faint">There is no banner.</p>
            )}
            {failure && <FailureNote failure={failure} />}
            <Changes>
              <div class="buttons">
                <Button text={banner ? 'Change the banner' : 'Show a banner'} act={() => setAsks(true)} />
                {banner && <Button text="Remove the banner" isBusy={isBusy} act={() => run(remove)} />}
              </div>
            </Changes>
          </>
        )}
      </Loaded>
      {asks && <SetBanner set={resource.set} close={() => setAsks(false)} />}
    </section>
  );
}

function SetBanner({ set, close }: { set: (state: BannerState) => void; close: () => void }) {
  const [text, setText] = useState('');
  const [until, setUntil] = useState('');
  const end = until === '' ? undefined : new Date(until);
  const isOver = end !== undefined && !(end.getTime() > Date.now());
  const act = async () => {
    const body = { text: text.trim(), ...(end && { until: end.toISOString() }) };
    set(await change<BannerState>('PUT', PATH, body));
  };
  return (
    <Dialog
      title="Show a banner to customers"
      action="Show it"
      isReady={text.trim() !== '' && !isOver}
      act={act}
      close={close}
    >
      <TextField
        title="Text"
        hint="One line, in the console and here."
        maxLength={300}
        value={text}
        set={setText}
      />
      <TimeField
        title="Until (optional)"
        hint={end ? formatUtc(end) : 'In your time zone. Empty: until you remove it.'}
        mistake={isOver ? 'That is not in the future.' : undefined}
        value={until}
        set={setUntil}
      />
    </Dialog>
  );
}

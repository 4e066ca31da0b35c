/** Three steps, which stay until the account has its first live PDF: a key, a conversion, a webhook. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { change, read } from '../../app/api.ts';
import type {
  AccountDetail,
  CreatedKey,
  Environment,
  Key,
  OwnWebhookList,
  Usage,
} from '../../app/api-types.ts';
import { useAction, useResource } from '../../app/hooks.ts';
import { suggestedEnd } from '../../app/key-form.ts';
import { Button } from '../../app/parts/button.tsx';
import { Copyable } from '../../app/parts/copyable.tsx';
import { CreatedKeyNote, exampleOf } from '../../app/parts/created-key.tsx';
import { FailureNote, Loaded } from '../../app/parts/notes.tsx';
import { HOME } from '../../app/router.ts';
import { readKeys } from '../all-keys.ts';

/** What a shell has in place of a key that is not shown any more. */
const VARIABLE = '$PLATEN_API_KEY';

interface Progress {
  readonly hasKey: boolean;
  readonly hasPdf: boolean;
  readonly hasLivePdf: boolean;
  readonly hasWebhook: boolean;
}

export function FirstSteps() {
  const resource = useResource('', readProgress);
  const [made, setMade] = useState<CreatedKey>();
  // Who comes back from the terminal sees what has become of the command.
  useEffect(() => {
    addEventListener('focus', resource.reload);
    return () => removeEventListener('focus', resource.reload);
  }, []);
  if (resource.data?.hasLivePdf && !made) return null;
  return (
    <section class="card part" id="first-steps" aria-labelledby="first-steps-title">
      <div class="title">
        <h2 id="first-steps-title">Three steps to your first PDF</h2>
        <Button text="Check again" look="small" act={resource.reload} />
      </div>
      <Loaded resource={resource}>
        {({ hasKey, hasPdf, hasWebhook }) => (
          <ol class="steps">
            <Step title="Make a key" isDone={hasKey || made !== undefined}>
              {made ? (
                <CreatedKeyNote created={made} done={() => setMade(undefined)} />
              ) : (
                <MakeKey made={setMade} />
              )}
            </Step>
            <Step title="Convert a document" isDone={hasPdf}>
              <p>
                Run this beside a file <code>document.docx</code>.
                {!made && ' It reads the key from your environment.'}
              </p>
              <Copyable text={exampleOf(made?.key ?? VARIABLE)} />
            </Step>
            <Step title="Be told when jobs end" isDone={hasWebhook}>
              <p>
                For documents in the background: <a href={`${HOME}/webhooks`}>add an endpoint</a>. Leave it
                out if you only convert at once.
              </p>
            </Step>
          </ol>
        )}
      </Loaded>
    </section>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li>
      <h3>
        {title} {isDone && <span class="badge good">Done</span>}
      </h3>
      {children}
    </li>
  );
}

function MakeKey({ made }: { made: (key: CreatedKey) => void }) {
  const { isBusy, failure, run } = useAction();
  const make = (environment: Environment) =>
    run(async () => {
      const body = {
        name: 'first steps',
        environment,
        type: 'sk',
        permissions: ['convert'],
        expiresAt: new Date(suggestedEnd()).toISOString(),
      };
      made(await change<CreatedKey>('POST', '/keys', body));
    });
  return (
    <>
      <p>A test key converts for real and is never billed. A live key makes PDFs that count.</p>
      {failure && <FailureNote failure={failure} />}
      <div class="buttons">
        <Button text="Make a test key" look="primary" isBusy={isBusy} act={() => make('test')} />
        <Button text="Make a live key" isBusy={isBusy} act={() => make('live')} />
      </div>
    </>
  );
}

async function readProgress(signal: AbortSignal): Promise<Progress> {
  const [keys, { used, month }, test, { webhooks }] = await Promise.all([
    readKeys(signal),
    read<AccountDetail>('/account', { signal }),
    read<Usage>('/usage', { query: { environment: 'test' }, signal }),
    read<OwnWebhookList>('/webhooks', { signal }),
  ]);
  const hasLivePdf = used > 0 || keys.some((key) => worked(key, month));
  return {
    hasKey: keys.some(({ state }) => state === 'valid'),
    hasPdf: hasLivePdf || test.conversions.used > 0,
    hasLivePdf,
    hasWebhook: webhooks.length > 0,
  };
}

/** Whether it is a live key that was in use before this month, of which alone the PDFs are counted here. */
function worked({ environment, lastUsedAt }: Key, month: string): boolean {
  return environment === 'live' && lastUsedAt !== null && lastUsedAt < month;
}

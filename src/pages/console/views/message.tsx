/** One message, by the id in its header `webhook-id`: what was sent, and what came back. */
import { pathOf, read } from '../../app/api.ts';
import type { Message as MessageData } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { HOME } from '../../app/router.ts';
import { Deliveries } from '../webhooks/deliveries.tsx';

const ID = /^msg_[0-9a-f]{32}$/;

export function Message({ id }: { id: string }) {
  return (
    <main>
      <Heading title="Message" />
      <p>
        <code>{id}</code>
      </p>
      {ID.test(id) ? (
        <Found id={id} />
      ) : (
        <p class="note warn">
          That is no whole id of a message: “msg_” is followed by 32 digits and letters from a to f. The
          header <code>webhook-id</code> has it.
        </p>
      )}
    </main>
  );
}

type Delivery = MessageData['deliveries'][number];

function Found({ id }: { id: string }) {
  const resource = useResource(id, (signal) => read<MessageData>(pathOf('messages', id), { signal }));
  const { data } = resource;
  return (
    <>
      {data && (
        <section class="part" id="sent">
          <h2>What was sent</h2>
          <Body text={indented(data.body)} />
        </section>
      )}
      <Deliveries
        resource={resource}
        to={(row) => <To of={row} />}
        pathOf={({ webhook, job, id: message }) =>
          webhook === null
            ? pathOf('jobs', job ?? '', 'deliveries', message)
            : pathOf('webhooks', webhook, 'deliveries', message)
        }
        empty="It was sent nowhere."
      />
      <Loaded resource={resource}>
        {({ deliveries }) =>
          deliveries.map((row) => (
            <section class="part" key={row.webhook ?? row.job}>
              <h2>
                What came back from <To of={row} />
              </h2>
              <p class="faint">{saidOf(row.answer)}</p>
              {row.answer && <Body text={row.answer} />}
            </section>
          ))
        }
      </Loaded>
    </>
  );
}

/** Where it goes. */
function To({ of: { webhook, job } }: { of: Delivery }) {
  if (webhook === null) return <a href={`${HOME}/jobs/${job}`}>the URL of a job</a>;
  return <a class="nowrap" href={`${HOME}/webhooks/${webhook}`}>{`${webhook.slice(0, 12)}…`}</a>;
}

function saidOf(answer: string | null): string {
  if (answer === null) return 'Nothing yet.';
  return answer === '' ? 'The last attempt brought no body.' : 'The first 2 kB of the last body.';
}

function Body({ text }: { text: string }) {
  return <pre class="sent">{text}</pre>;
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

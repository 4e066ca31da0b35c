/** The server that answers: what it works on, and what it stands on. */
import type { ComponentChildren } from 'preact';
import type { ServerStatus } from '../../app/api-types.ts';
import { Time } from '../../app/parts/time.tsx';
import { formatDuration, formatNumber } from '../../app/words.ts';
import { formatBytes } from '../../format.ts';

type Level = 'good' | 'warn' | 'bad' | 'plain';

interface TileProps {
  readonly title: string;
  readonly level?: Level;
  readonly value: ComponentChildren;
  readonly children: ComponentChildren;
}

function Tile({ title, level = 'plain', value, children }: TileProps) {
  return (
    <section class="tile" data-level={level}>
      <h2>{title}</h2>
      <p class="value">{value}</p>
      <div class="faint">{children}</div>
    </section>
  );
}

export function ServerFigures({ server }: { server: ServerStatus }) {
  const { engine, queue, redis, billing, sandbox, residentBytes, lastProof } = server;
  const missing = sandbox.filter(({ active }) => !active);
  const isUp = redis.up && redis.writable;
  const total = Object.values(residentBytes).reduce((sum, bytes) => sum + bytes, 0);
  return (
    <div class="tiles" id="server">
      <Tile
        title="Workers busy"
        value={`${queue.running} of ${queue.workers}`}
        level={queue.running >= queue.workers ? 'warn' : 'plain'}
      >
        {`${formatNumber(engine.documents)} ${engine.documents === 1 ? 'document' : 'documents'} since the start`}
        {queue.arriving > 0 && `, ${queue.arriving} uploading`}
      </Tile>
      <Tile
        title="Queue"
        value={`${queue.waiting} of ${queue.limit}`}
        level={queue.waiting >= queue.limit ? 'bad' : queue.waiting > 0 ? 'warn' : 'plain'}
      >
        {queue.waiting > 0 ? `The oldest waits for ${formatDuration(queue.oldestWaitMs)}` : 'Nothing waits'}
      </Tile>
      <Tile
        title="Engine"
        value={engine.ready ? (engine.engine === 'kit' ? 'Kit' : 'Cold') : 'Not ready'}
        level={!engine.ready ? 'bad' : engine.engine === 'cold' ? 'warn' : 'good'}
      >
        {engine.libreOffice === null ? 'LibreOffice: not known yet' : `LibreOffice ${engine.libreOffice}`}
        <br />
        {`${engine.children.idle} idle and ${engine.children.running} running children, ${
          engine.documentsPerChild === 1
            ? 'one document each'
            : `up to ${engine.documentsPerChild} documents of an account each`
        }`}
      </Tile>
      <Tile title="Kit restarts" value={engine.restarts} level={engine.restarts > 0 ? 'warn' : 'plain'}>
        {`${engine.renewals} planned renewals`}
        {lastProof && (
          <>
            <br />
            {lastProof.ok ? 'Last proof ' : 'The last proof failed '}
            <Time at={lastProof.at} style="relative" />
          </>
        )}
      </Tile>
      <Tile
        title="Sandbox"
        value={`${sandbox.length - missing.length} of ${sandbox.length}`}
        level={missing.some(({ required }) => required) ? 'bad' : missing.length > 0 ? 'warn' : 'good'}
      >
        <ul class="layers">
          {sandbox.map(({ name, active }) => (
            <li key={name} class={active ? 'on' : 'off'}>
              <span aria-hidden="true">{active ? '✓' : '✗'}</span> {name}
              {!active && ' (missing)'}
            </li>
          ))}
        </ul>
      </Tile>
      <Tile
        title="Redis"
        value={
          isUp
            ? redis.latencyMs === null
              ? 'Up'
              : formatDuration(redis.latencyMs)
            : redis.up
              ? 'No writes'
              : 'Away'
        }
        level={isUp ? 'good' : 'bad'}
      >
        {isUp
          ? 'It answers and takes writes'
          : redis.up
            ? 'It answers, but takes no writes'
            : 'It does not answer'}
        {billing.unbilled > 0 && (
          <>
            <br />
            {`${formatNumber(billing.unbilled)} conversions unbilled since the start`}
          </>
        )}
      </Tile>
      <Tile title="Memory" value={formatBytes(total)}>
        {`Server ${formatBytes(residentBytes.server)}, kit ${formatBytes(residentBytes.kit)}, children ${formatBytes(residentBytes.child)}`}
      </Tile>
      <Tile title="Platen" value={server.version}>
        {`Node ${server.node.replace(/^v/, '')}`}
        <br />
        Up since <Time at={server.startedAt} />
      </Tile>
    </div>
  );
}

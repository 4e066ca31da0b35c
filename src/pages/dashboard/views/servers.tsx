/** All servers, where there are several: how each is, by its own word. */
import type { ServerSummary } from '../../app/api-types.ts';
import { type Column, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { formatBytes } from '../../format.ts';

const columns: readonly Column<ServerSummary>[] = [
  {
    title: 'Server',
    cell: ({ host, id, isThis }) => (
      <>
        {host}
        {isThis && ' (answers)'}
        <span class="second">{id.slice(0, 8)}</span>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ phase, status, problem }) => {
      if (phase !== 'ready') return <span class="badge warn">{phase}</span>;
      if (status === 'ok') return <span class="badge good">ready</span>;
      return (
        <>
          <span class="badge bad">unavailable</span>
          <span class="second">{problem}</span>
        </>
      );
    },
  },
  { title: 'Workers busy', cell: ({ running, workers }) => `${running} of ${workers}` },
  { title: 'Queue', cell: ({ waiting, limit }) => `${waiting} of ${limit}` },
  { title: 'Memory', isMinor: true, cell: ({ residentBytes }) => formatBytes(residentBytes) },
  {
    title: 'Version',
    isMinor: true,
    cell: ({ version, libreOffice }) => (
      <>
        {version}
        <span class="second">{libreOffice === null ? '' : `LibreOffice ${libreOffice}`}</span>
      </>
    ),
  },
  { title: 'Up since', isMinor: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
];

export function ServerTable({ servers }: { servers: readonly ServerSummary[] }) {
  if (servers.length < 2) return null;
  return (
    <section class="part" id="servers">
      <h2>{`All ${servers.length} servers`}</h2>
      <Table caption="Servers" columns={columns} rows={servers} keyOf={({ id }) => id} />
    </section>
  );
}

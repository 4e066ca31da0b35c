/** platen servers */
import type { Command } from 'commander';
import { Servers } from '../operator/servers.ts';
import { columns, command, print } from './command.ts';
import { withRedis } from './service-data.ts';

export function serversCommand(): Command {
  return command('servers', 'Show the servers on this Redis, as each last reported.').action(
    async ({ json }: { json?: boolean }) => {
      const servers = await withRedis((redis) => new Servers(redis).list());
      const shown = servers.map(({ isThis: _, ...server }) => server);
      const head = ['HOST', 'STATE', 'BUSY', 'WAITING', 'VERSION', 'STARTED', 'PROBLEM'];
      const rows = shown.map(({ host, phase, status, running, workers, waiting, limit, ...about }) => [
        ...[host, phase === 'ready' ? status : phase, `${running}/${workers}`, `${waiting}/${limit}`],
        ...[about.version, about.startedAt, about.problem ?? ''],
      ]);
      print(json, shown, columns(head, rows));
    },
  );
}

/**
 * Imports only point down. `npm run check` holds every file of the server to the floors below, the first being the
 * highest: a file may import from its own floor's folder and from the floors below it. Entries of one floor know nothing
 * of each other. The pages run in a browser and have rules of their own, in biome.json.
 */
const floors = [
  ['main.ts', 'cli/[^/]*$'],
  ['cli/mcp/'],
  ['cli/compare/', 'cli/batch/'],
  ['cli/local/'],
  ['egress/'],
  ['app.ts', 'welcome.ts'],
  ['services.ts'],
  ['http/reference/'],
  ['http/pages/'],
  ['http/console/'],
  ['http/operator/'],
  ['http/jobs/'],
  ['http/conversion/', 'http/account/', 'http/service/'],
  ['http/access/'],
  ['http/contract/'],
  ['http/core/'],
  ['operations/'],
  ['members/'],
  ['operator/'],
  ['jobs/'],
  ['webhooks/'],
  ['accounts/limits/'],
  ['accounts/billing/'],
  ['convert/[^/]*$'],
  ['convert/reading/'],
  ['convert/report/', 'convert/preflight/'],
  ['convert/pagination/'],
  ['convert/rules/', 'convert/pdf/'],
  ['convert/package/'],
  ['convert/document/', 'convert/fonts/'],
  ['convert/text/'],
  ['accounts/keys/', 'engine/', 'queue/'],
  ['accounts/plans/'],
  ['redis/', 'storage/', 'outbound/', 'telemetry/'],
  ['config.ts'],
  ['system/'],
  ['paths.ts', 'errors.ts'],
  ['shared/'],
].map((floor) => floor.map((room) => `^src/${room.replaceAll('.', '\\.')}`));

const rooms = floors.flat();
const onlyDown = floors.flatMap((floor, index) =>
  floor.map((room) => ({
    name: `only-down-from ${room}`,
    severity: 'error',
    from: { path: room },
    to: { path: [...floors.slice(0, index).flat(), ...floor.filter((other) => other !== room)] },
  })),
);

module.exports = {
  forbidden: [
    ...onlyDown,
    { name: 'every-file-has-a-floor', severity: 'error', from: { path: '^src/', pathNot: rooms }, to: {} },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'http-frameworks-only-in-http',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http/|app\\.ts|main\\.ts)' },
      to: { path: 'node_modules/(fastify|fastify-plugin|@fastify)/' },
    },
    {
      name: 'cli-without-server',
      comment:
        'The commands run beside a server and need only its data; what is in folders of cli/ converts.',
      severity: 'error',
      from: { path: '^src/cli/[^/]*$' },
      to: { path: '^src/(http|engine|queue|convert)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/pages/' },
  },
};

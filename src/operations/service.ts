/** What customers are told of the service: its maintenance mode, and a banner. */
import { Type } from 'typebox';
import { assertText } from '../accounts/keys/records.ts';
import { OperatorError } from '../errors.ts';
import type { BannerText } from '../redis/banner.ts';
import { type MaintenanceState, noNotice } from '../redis/maintenance.ts';
import { admins, everyOperator, operation } from './operation.ts';
import { closed, moment, orNull, timeOrNull } from './schema.ts';

/** Characters of what customers are told. */
const MAX_REASON = 200;
const MAX_BANNER = 300;

export const Maintenance = Type.Object(
  {
    on: Type.Boolean({ description: 'Whether conversions are refused, on every server.' }),
    since: timeOrNull('Start of the maintenance. `null`: it is off.'),
    reason: orNull(Type.String(), 'What customers are told. `null`: no reason.'),
    until: timeOrNull('When it is expected to end. `null`: nobody knows.'),
  },
  { $id: 'Maintenance', description: 'The maintenance mode.' },
);

/** Without an example, which OpenAPI 3.0 does not allow inside a choice. */
export const shownBanner = () =>
  orNull(
    Type.Object({
      text: Type.String({ description: 'The text.' }),
      until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When it disappears by itself. `null`: never.',
      }),
    }),
    'What all customers are shown. `null`: nothing.',
  );

export const BannerState = Type.Object(
  { banner: shownBanner() },
  { $id: 'BannerState', description: 'The banner for customers.' },
);

const maintenanceExample = {
  on: true,
  since: '2026-11-21T08:00:00.000Z',
  reason: 'The database moves',
  until: '2026-11-21T09:00:00.000Z',
};
const bannerExample = {
  banner: { text: 'On Sunday from 8 to 9 UTC we move.', until: '2026-11-29T09:00:00.000Z' },
};

export const getMaintenance = operation({
  method: 'GET',
  path: '/maintenance',
  tag: 'service',
  says: [
    'Whether the service is in maintenance mode',
    'In maintenance mode every server answers conversions with 503.',
  ],
  operator: { id: 'getMaintenance', roles: everyOperator },
  answers: { body: Maintenance, description: 'The mode.', example: maintenanceExample },
  run: async ({ maintenance }) => describe(await maintenance.state()),
});

export const setMaintenance = operation({
  method: 'PUT',
  path: '/maintenance',
  tag: 'service',
  says: [
    'Turn the maintenance mode on or off',
    'Takes effect on every server at once. Running conversions finish. `reason` and `until` are in the message of the 503, and ' +
      '`Retry-After` counts to `until`. When it is on, they replace the former ones.',
  ],
  operator: { id: 'setMaintenance', roles: admins },
  body: closed({
    on: Type.Boolean({ description: 'Whether to refuse conversions.' }),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REASON,
        description: 'A reason for customers. Default: none.',
      }),
    ),
    until: moment('When it is expected to end, with time zone. Default: unknown. It does not end by itself.'),
  }),
  answers: { body: Maintenance, description: 'The current mode.', example: maintenanceExample },
  async run({ maintenance, audit, feed }, { actor, body }) {
    const { on, reason = null } = body;
    const until = readEnd(body.until, 'the expected end');
    if (reason !== null) assertText('a reason', reason, MAX_REASON);
    const before = await maintenance.state();
    const isNew = on && (before?.reason !== reason || before.until !== until);
    if (isNew || on !== (before !== undefined)) {
      const details = { ...(reason !== null && { reason }), ...(until !== null && { until }) };
      await audit.record(actor, on ? 'maintenance.on' : 'maintenance.off', { details });
    }
    if (on) await maintenance.turnOn({ reason, until });
    else await maintenance.turnOff();
    feed?.tellNow();
    return describe(await maintenance.state());
  },
});

export const getBanner = operation({
  method: 'GET',
  path: '/banner',
  tag: 'service',
  says: ['The banner for customers', 'It is shown in the console and on the dashboard.'],
  operator: { id: 'getBanner', roles: everyOperator },
  answers: { body: BannerState, description: 'The banner.', example: bannerExample },
  run: async ({ banner }) => ({ banner: (await banner.get()) ?? null }),
});

export const setBanner = operation({
  method: 'PUT',
  path: '/banner',
  tag: 'service',
  says: ['Show customers a banner', 'In place of any other.'],
  operator: { id: 'setBanner', roles: admins },
  body: closed({
    text: Type.String({
      minLength: 1,
      maxLength: MAX_BANNER,
      description: 'The text, on one line.',
    }),
    until: moment('When it goes by itself, with time zone. Default: never.', '2026-11-29T09:00:00Z'),
  }),
  answers: { body: BannerState, description: 'The banner.', example: bannerExample },
  audit: 'banner.set',
  async run({ banner, feed }, { body: { text, until: end }, note }) {
    const until = readEnd(end, 'the end of a banner');
    assertText('a banner', text, MAX_BANNER);
    await note({ details: { text, ...(until !== null && { until }) } });
    const shown: BannerText = { text, until };
    await banner.set(shown);
    feed?.tellNow();
    return { banner: shown };
  },
});

export const removeBanner = operation({
  method: 'DELETE',
  path: '/banner',
  tag: 'service',
  says: ['Remove the banner', 'There may be none.'],
  operator: { id: 'removeBanner', roles: admins },
  answers: { body: BannerState, description: 'There is none.', example: { banner: null } },
  audit: 'banner.removed',
  async run({ banner, feed }, { note }) {
    if (await banner.get()) {
      await note({});
      await banner.remove();
      feed?.tellNow();
    }
    return { banner: null };
  },
});

/** In the order of the OpenAPI document. */
export const serviceOperations = [getMaintenance, setMaintenance, getBanner, setBanner, removeBanner];

function describe(state: MaintenanceState | undefined) {
  return { on: state !== undefined, since: null, ...noNotice, ...state };
}

/** @throws OperatorError if it is over. */
function readEnd(text: string | undefined, name: string): string | null {
  if (text === undefined) return null;
  const end = new Date(text);
  if (!(end.getTime() > Date.now())) throw new OperatorError(`${name} must be in the future`);
  return end.toISOString();
}

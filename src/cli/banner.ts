/** platen banner … */
import type { Command } from 'commander';
import { Banner, type BannerText } from '../redis/banner.ts';
import { command, group, print, withManagement, withRedis } from './command.ts';
import { readTime } from './times.ts';

interface Json {
  readonly json?: boolean;
}

export function bannerCommands(): Command {
  return group('banner', 'A text for all customers.', [
    command('set', 'Show a text to all customers. It replaces any other.')
      .argument('<text>', 'the text')
      .option('--until <time>', 'when it disappears, ISO 8601; never if omitted', readTime)
      .action(async (text: string, { until, json }: Json & { until?: Date }) => {
        const banner = { text, until: until?.toISOString() ?? null };
        show(json, await withManagement((management, actor) => management.setBanner(actor, banner)));
      }),
    command('remove', 'Remove the banner.').action(async ({ json }: Json) =>
      show(json, await withManagement((management, actor) => management.setBanner(actor, undefined))),
    ),
    command('show', 'Print the banner.').action(async ({ json }: Json) =>
      show(json, await withRedis((redis) => new Banner(redis).get())),
    ),
  ]);
}

function show(json: boolean | undefined, banner: BannerText | undefined): void {
  const until = banner?.until == null ? '' : ` (until ${banner.until})`;
  print(json, { banner: banner ?? null }, [banner ? `${banner.text}${until}` : 'There is no banner.']);
}

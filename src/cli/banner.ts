/** platen banner … */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { type BannerState, getBanner, removeBanner, setBanner } from '../operations/service.ts';
import { group } from './command.ts';
import { commandFor } from './door.ts';

export function bannerCommands(): Command {
  return group('banner', 'A text for all customers.', [
    commandFor('set', setBanner, { arguments: { text: String }, lines }),
    commandFor('remove', removeBanner, { lines }),
    commandFor('show', getBanner, { lines }),
  ]);
}

function lines({ banner }: Static<typeof BannerState>): readonly string[] {
  if (!banner) return ['There is no banner.'];
  return [`${banner.text}${banner.until === null ? '' : ` (until ${banner.until})`}`];
}

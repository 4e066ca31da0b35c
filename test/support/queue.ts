/** Shortcuts into a queue and a converter, for tests of other subjects. */
import type { ConvertedPdf, Converter, Phases } from '../../src/convert/converter.ts';
import type { Workspace } from '../../src/convert/workspace.ts';
import type { Queue } from '../../src/queue/queue.ts';
import type { Sender } from '../../src/queue/sender.ts';
import type { ConversionOptions } from '../../src/shared/options/conversion-options.ts';
import type { PdfaLevel } from '../../src/shared/options/pdfa.ts';

export const acme: Sender = { class: 'live', account: 'acme' };

/** Enters the queue and runs the task in its turn. */
export async function runIn<T>(
  queue: Queue,
  task: (waitedMs: number) => Promise<T>,
  signal: AbortSignal,
  sender: Sender = acme,
): Promise<T> {
  return queue.enter(sender).run(task, 0, signal);
}

/** Converts the workspace's upload. */
export async function convertIn(
  converter: Converter,
  workspace: Workspace,
  signal: AbortSignal,
  {
    bytes = 0,
    sha256,
    pdfa,
    options = { pdfa },
    phases,
  }: {
    bytes?: number;
    sha256?: string;
    pdfa?: PdfaLevel;
    options?: ConversionOptions;
    phases?: Phases;
  } = {},
): Promise<ConvertedPdf> {
  const place = converter.admit(acme);
  try {
    return await converter.convert(workspace, { place, bytes, sha256, options }, signal, { phases });
  } finally {
    place.leave();
  }
}

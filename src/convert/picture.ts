/** A picture of a page, drawn by the engine once the PDF is complete. */
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, type Job, OUTPUT_NAME, UNFINISHED_NAME } from '../engine/engine.ts';
import { unavailable } from '../engine/outcome.ts';
import { PlatenError } from '../errors.ts';
import {
  type Background,
  type ConversionOptions,
  MIN_PICTURE_WIDTH,
  PICTURE_WIDTH,
} from '../shared/options/conversion-options.ts';
import { isFull } from '../system/free-space.ts';
import type { PageSize } from './pdf/pages.ts';
import type { PictureSize } from './pdf/picture-file.ts';
import type { Readers } from './reading/readers.ts';

/** Folder of the picture, inside the workspace; also the suffix of its job id. */
const FOLDER_NAME = 'picture';
/** Greatest height, in pixels: a page of 10 m by 1 mm has no picture, and the largest has 40 million pixels. */
const MAX_HEIGHT = 10_000;

/** A picture, which is not verified yet. */
export interface Picture extends PictureSize {
  readonly folder: string;
  readonly background: Background;
}

/** What a picture needs. */
interface Tools {
  readonly engine: Pick<Engine, 'draw'>;
  readonly readers: Pick<Readers, 'measurePage'>;
}

/**
 * Has the engine draw a page of the PDF in a folder, which stays as it is.
 *
 * @param job the document's; it gives its id and folder.
 * @param from the folder of the PDF.
 * @throws PlatenError `INVALID_PARAMETER` if there is no such page, or its picture would be too high; what the engine throws.
 */
export async function drawPicture(
  { engine, readers }: Tools,
  { id, folder, isPatient }: Job,
  from: string,
  { page = 1, width = PICTURE_WIDTH, background = 'white' }: ConversionOptions,
  signal: AbortSignal,
): Promise<Picture> {
  const { pages, size } = await readers.measurePage(from, page, { signal });
  if (!size) {
    throw new PlatenError('INVALID_PARAMETER', {
      message: `page is ${page}, and the PDF has ${pages} ${pages === 1 ? 'page' : 'pages'}. Send 1 to ${pages}.`,
    });
  }
  const picture = { width, height: heightOf(size, width) };
  const own = join(folder, FOLDER_NAME);
  await mkdir(own, { mode: 0o700 });
  await link(join(from, OUTPUT_NAME), join(own, UNFINISHED_NAME));
  const job = { id: `${id}-${FOLDER_NAME}`, folder: own, isPatient, page, background, ...picture };
  try {
    await engine.draw(job, signal);
  } catch (error) {
    // Its program does not say so.
    throw (error as PlatenError).reason === 'unexportable' && isFull(own) ? unavailable(error) : error;
  }
  return { folder: own, background, ...picture };
}

/**
 * The height of a picture, in pixels.
 *
 * @throws PlatenError `INVALID_PARAMETER` beyond the limit.
 */
export function heightOf(page: PageSize, width: number): number {
  const height = Math.max(1, Math.round((width * page.height) / page.width));
  if (height <= MAX_HEIGHT) return height;
  const most = Math.floor((MAX_HEIGHT * page.width) / page.height);
  const limit = `The picture would be ${width} × ${height} pixels, and at most ${MAX_HEIGHT} high.`;
  throw new PlatenError('INVALID_PARAMETER', {
    message:
      most < MIN_PICTURE_WIDTH
        ? `${limit} The page is too narrow for a picture.`
        : `${limit} Send a width of up to ${most}.`,
  });
}

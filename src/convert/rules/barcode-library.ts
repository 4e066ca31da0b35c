/** The barcodes that Word draws, by the names that it gives them ([MS-OI29500], 3.1.3.2.7). Load it only for documents that have some. */
import {
  code39,
  code128,
  drawingSVG,
  ean8,
  ean13,
  itf14,
  japanpost,
  qrcode,
  type RenderOptions,
  rationalizedCodabar,
  upca,
  upce,
} from 'bwip-js';

type Encode = (options: RenderOptions, drawing: ReturnType<typeof drawingSVG>) => string;

const encoders: Readonly<Record<string, Encode>> = {
  ...{ QR: qrcode, CODE128: code128, CODE39: code39, NW7: rationalizedCodabar, JPPOST: japanpost },
  ...{ EAN13: ean13, JAN13: ean13, EAN8: ean8, JAN8: ean8, UPCA: upca, UPCE: upce },
  ...{ ITF14: itf14, CASE: itf14 },
};

/**
 * Draws a barcode.
 *
 * @param type in capital letters.
 * @returns an SVG picture; undefined where the type is not known, or cannot have the text.
 */
export function drawBarcode(type: string, options: Omit<RenderOptions, 'bcid'>): string | undefined {
  const encode = encoders[type];
  try {
    return encode?.({ bcid: type, ...options }, drawingSVG());
  } catch {
    // The library's way to say that a text does not fit its type.
    return undefined;
  }
}

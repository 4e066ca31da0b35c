/** The options of a conversion by an assistant: those of the API but for pictures of pages, as what it gets are PDFs. */
import { Type } from 'typebox';
import { options } from '../../http/conversion/options.contract.ts';

const { format: _format, page: _page, width: _width, background: _background, ...ofPdfs } = options;

export const pdfOptionsSchema = Type.Object(ofPdfs, { additionalProperties: false });

/** /operator/v1/banner: a text for all customers. */

import { Type } from 'typebox';
import { orNull } from '../../operations/schema.ts';
import { jsonResponse } from '../contract/responses.ts';
import { byOperator, changeErrors, type OperatorOperation, readErrors } from './operation.ts';

/** Without an example, which OpenAPI 3.0 does not allow inside a choice. */
export const shownBanner = () =>
  orNull(
    Type.Object({
      text: Type.String({ description: 'The text.' }),
      until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When it goes by itself. `null`: never.',
      }),
    }),
    'What all customers are shown. `null`: nothing.',
  );

export const BannerState = Type.Object(
  { banner: shownBanner() },
  { $id: 'BannerState', description: 'The banner for customers.' },
);

const example = {
  banner: { text: 'On Sunday from 8 to 9 UTC we move.', until: '2026-11-29T09:00:00.000Z' },
};
const path = '/operator/v1/banner';

export const getBanner = {
  method: 'GET',
  path,
  schema: {
    operationId: 'getBanner',
    tags: ['service'],
    summary: 'The banner for customers',
    description: 'It is shown in the console and on the dashboard.',
    security: byOperator,
    response: {
      200: jsonResponse(BannerState, { description: 'The banner.', example }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const setBanner = {
  method: 'PUT',
  path,
  schema: {
    operationId: 'setBanner',
    tags: ['service'],
    summary: 'Show customers a banner',
    description: 'In place of any other.',
    security: byOperator,
    body: Type.Object(
      {
        text: Type.String({ minLength: 1, maxLength: 300, description: 'The text, on one line.' }),
        until: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'When it goes by itself, with time zone. Default: never.',
            examples: ['2026-11-29T09:00:00Z'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(BannerState, { description: 'The banner.', example }),
      ...changeErrors,
    },
  },
} as const satisfies OperatorOperation;

export const removeBanner = {
  method: 'DELETE',
  path,
  schema: {
    operationId: 'removeBanner',
    tags: ['service'],
    summary: 'Remove the banner',
    description: 'There may be none.',
    security: byOperator,
    response: {
      200: jsonResponse(BannerState, { description: 'There is none.', example: { banner: null } }),
      ...changeErrors,
    },
  },
} as const satisfies OperatorOperation;

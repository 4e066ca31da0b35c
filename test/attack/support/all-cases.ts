/** Every document of the suite. */
import type { Case } from './case.ts';
import { charts } from './cases/charts.ts';
import { externalParts } from './cases/external-parts.ts';
import { fields } from './cases/fields.ts';
import { fonts } from './cases/fonts.ts';
import { burners as layoutBurners, oddities } from './cases/layout.ts';
import { linkedPictures } from './cases/linked-pictures.ts';
import { macros } from './cases/macros.ts';
import { pictureBurners, pictures } from './cases/pictures.ts';
import { svgBurners, svgs } from './cases/svg.ts';

/** Those that are quick. */
export const cases: readonly Case[] = [
  ...linkedPictures,
  ...fields,
  ...externalParts,
  ...macros,
  ...charts,
  ...svgs,
  ...pictures,
  ...fonts,
  ...oddities,
];

/** Those that exhaust a conversion's time, or much of its memory. */
export const burners: readonly Case[] = [...layoutBurners, ...svgBurners, ...pictureBurners];

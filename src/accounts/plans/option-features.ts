/** Which options need which feature of a plan. */
import { type AllOptions, isDefault } from '../../shared/options/conversion-options.ts';
import type { Feature } from './plans.ts';

const featureOf: Readonly<Partial<Record<keyof AllOptions, Feature>>> = {
  pdfa: 'pdfa',
  pdfua: 'pdfua',
  changes: 'markup',
  comments: 'markup',
  watermark: 'watermark',
  watermarkColor: 'watermark',
  watermarkSize: 'watermark',
  watermarkAngle: 'watermark',
  allow: 'encryption',
  userPassword: 'encryption',
  ownerPassword: 'encryption',
  attachments: 'attachments',
  attachmentRelationship: 'attachments',
  facturx: 'attachments',
};

/** An option, and the feature that it needs. */
export interface FeatureNeed {
  /** Undefined: the request itself needs the feature. */
  readonly option: string | undefined;
  readonly feature: Feature;
}

/** The needs of options, whose values may be the texts of a query. Those with their default need nothing. */
export function featureNeeds(options: Readonly<Record<string, unknown>>): FeatureNeed[] {
  return Object.entries(options).flatMap(([option, value]) => {
    const feature = Object.hasOwn(featureOf, option) ? featureOf[option as keyof AllOptions] : undefined;
    return feature === undefined || value === undefined || isDefault(option, value)
      ? []
      : [{ option, feature }];
  });
}

/** All rules, by subject. */
import { annotationRules } from './annotation-rules.ts';
import { colourRules } from './colour-rules.ts';
import { embeddedRules } from './embedded-rules.ts';
import { fileRules } from './file-rules.ts';
import { fontRules } from './font-rules.ts';
import { graphicsRules } from './graphics-rules.ts';
import { languageRules } from './language-rules.ts';
import { metadataRules } from './metadata-rules.ts';
import { nestingRules } from './nesting-rules.ts';
import type { Rule } from './rule.ts';
import { taggingRules } from './tagging-rules.ts';
import { transparencyRules } from './transparency-rules.ts';

export const rules: readonly Rule[] = [
  ...fileRules,
  ...colourRules,
  ...graphicsRules,
  ...transparencyRules,
  ...fontRules,
  ...annotationRules,
  ...metadataRules,
  ...embeddedRules,
  ...taggingRules,
  ...nestingRules,
  ...languageRules,
];

/** The list of what is checked, as docs/conformance.md has it. */
import { formRules } from '../../src/convert/pdf/conformance/form-rules.ts';
import { profiles } from '../../src/convert/pdf/conformance/rule.ts';
import { rules } from '../../src/convert/pdf/conformance/rules.ts';

/** A table of all rules in Markdown. */
export function ruleTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const heads = row(['demand', ...profiles]) + row(['demand', ...profiles].map(() => '---'));
  const rows = [...formRules, ...rules].map(({ demand, clauses }) =>
    row([demand, ...profiles.map((name) => clauses[name] ?? '')]),
  );
  return heads + rows.join('');
}

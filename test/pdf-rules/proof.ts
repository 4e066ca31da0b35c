/** Proves rules with files that break them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import type { RuleOf } from '../../src/convert/pdf/conformance/rule.ts';
import { type Profile, profiles, violations } from '../support/conformance.ts';
import { Sample } from './sample.ts';

const run = promisify(execFile);

interface Breakage {
  /** How the demand of the broken rule starts. */
  readonly demand: string;
  /** What is wrong with the file. */
  readonly name: string;
  /** How the demands of rules start that such a file breaks as well. */
  readonly also?: readonly string[];
  /** Those whose rule it breaks; by default all that have the rule, see {@link standardsOf}. */
  readonly profiles?: readonly Profile[];
  change?(sample: Sample): void;
  changeFile?(file: Buffer): Buffer;
  /** Options of qpdf, which then writes the file. */
  readonly qpdf?: readonly string[];
}

/** Tests that each breakage is found, and nothing else, and that each rule has one in each standard that has the rule. */
export function proves(
  rules: readonly Pick<RuleOf<never>, 'clauses' | 'demand'>[],
  breakages: readonly Breakage[],
): void {
  const proven = new Set<string>();
  for (const breakage of breakages) {
    const [rule, other] = rules.filter(({ demand }) => demand.startsWith(breakage.demand));
    if (!rule || other) throw new Error(`no rule, or several: ${breakage.demand}`);
    t.test(`${rule.demand} – ${breakage.name}`, async (t) => {
      const folder = t.testdir();
      const standards = breakage.profiles ?? standardsOf(rule);
      await Promise.all(
        standards.map(async (profile) => {
          proven.add(`${profile} ${rule.demand}`);
          const path = join(folder, `${profile}.pdf`);
          await writeFile(path, brokenFile(profile, breakage));
          if (breakage.qpdf) await run('qpdf', ['--replace-input', path, ...breakage.qpdf]);
          const demands = new Set((await violations(path, profile)).map(({ demand }) => demand));
          t.ok(demands.has(rule.demand), profile);
          const allowed = [breakage.demand, ...(breakage.also ?? [])];
          const others = [...demands].filter((demand) => !allowed.some((start) => demand.startsWith(start)));
          t.strictSame(others, [], `${profile}: nothing else`);
        }),
      );
    });
  }
  t.test('each rule has a file that breaks it', async (t) => {
    for (const rule of rules) {
      for (const profile of standardsOf(rule))
        t.ok(proven.has(`${profile} ${rule.demand}`), `${profile}: ${rule.demand}`);
    }
  });
}

/** Those that have the rule; of the parts 2 and 3, which check the same rule alike, one. */
function standardsOf({ clauses }: Pick<RuleOf<never>, 'clauses'>): Profile[] {
  const named = profiles.filter((name) => clauses[name] !== undefined);
  return named.filter((name) => name !== '3b' || !named.includes('2b'));
}

function brokenFile(profile: Profile, { change, changeFile }: Breakage): Buffer {
  const sample = new Sample(profile);
  change?.(sample);
  return changeFile ? changeFile(sample.bytes()) : sample.bytes();
}

/** Changes bytes of a file; @throws Error if it does not have them. */
export function replaced(file: Buffer, from: string, to: string): Buffer {
  const text = file.toString('latin1');
  if (!text.includes(from)) throw new Error(`the file has no ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
}

/**
 * The alert rules, in the program that reads them, Debian's promtool; and the dashboard, held to Grafana's schema.
 * test/e2e/metrics.test.ts asks both of a Prometheus that scrapes a real server.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { parse } from 'yaml';
import { typeErrors } from './support/files.ts';

const execute = promisify(execFile);
const PROMTOOL = '/usr/bin/promtool';
const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const RULES = path('docker/prometheus-rules.yaml');
const CASES = path('test/deployment/prometheus-rules.yaml');
const read = (file: string) => parse(readFileSync(file, 'utf8'), { strict: true });

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}
interface RuleCases {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly object[];
    }[];
  }[];
}

t.test('promtool takes the rules', async (t) => {
  const { stdout } = await execute(PROMTOOL, ['check', 'rules', RULES]);
  t.match(stdout, /SUCCESS: \d+ rules found/);
});

t.test('each alert fires when it should, and else not', async (t) => {
  const alerts = (read(RULES) as RuleFile).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const cases = (read(CASES) as RuleCases).tests.flatMap((each) => each.alert_rule_test);
  const named = (fires: boolean) =>
    new Set(
      cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires).map((each) => each.alertname),
    );
  // promtool takes the name of an alert that there is not for one that is silent.
  t.same([...named(true)].sort(), [...alerts].sort(), 'a case that fires each');
  t.same([...named(false)].sort(), [...alerts].sort(), 'a case in which each is silent');
  const { stdout, stderr } = await execute(PROMTOOL, ['test', 'rules', CASES]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  t.match(stdout, /SUCCESS/, stdout + stderr);
});

t.test('the rules of the Prometheus Operator are the same', (t) => {
  const { spec } = read(path('docker/kubernetes/monitoring/prometheus-rule.yaml')) as { spec: RuleFile };
  t.same(spec, read(RULES));
  t.end();
});

t.test("the dashboard has only what Grafana's schema knows", async (t) => {
  const dashboard = readFileSync(path('docker/grafana/platen.json'), 'utf8');
  const source =
    `import type { Dashboard } from '@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen';\n` +
    // JSON has the values of enumerations, which TypeScript only takes by their names.
    'type Json<T> = T extends string ? `$' +
    '{T}` : T extends object ? { [K in keyof T]: Json<T[K]> } : T;\n' +
    `export const dashboard: Json<Dashboard> = ${dashboard};\n`;
  t.equal(await typeErrors(t, source), '');
});

t.test('each panel has a title, a unit and a place of its own', (t) => {
  interface Place {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  }
  interface Panel {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: Place;
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
    readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
  }
  const { panels } = JSON.parse(readFileSync(path('docker/grafana/platen.json'), 'utf8')) as {
    panels: Panel[];
  };
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Set<string>();
  for (const { title, type, gridPos, fieldConfig, targets = [] } of panels) {
    t.ok(title);
    const { x, y, w, h } = gridPos;
    t.ok(x + w <= 24, title);
    const cells = Array.from({ length: w * h }, (_, i) => `${x + (i % w)}/${y + Math.floor(i / w)}`);
    t.notOk(
      cells.some((cell) => taken.has(cell)),
      `${title} covers nothing`,
    );
    for (const cell of cells) taken.add(cell);
    if (type === 'row') continue;
    t.ok(fieldConfig?.defaults.unit, `${title} has a unit`);
    t.ok(targets.length > 0, title);
    t.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
    for (const { expr } of targets) t.match(expr, 'instance=~"$instance"', title);
  }
  t.end();
});

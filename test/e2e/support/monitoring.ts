/** What operators install to watch the service: the dashboard of Grafana, the alert rules, the query of KEDA. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

export const rulesPath = join(root, 'docker/prometheus-rules.yaml');

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(read('docker/prometheus-rules.yaml'), { strict: true }) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
}

const dashboard = JSON.parse(read('docker/grafana/platen.json')) as {
  panels: Panel[];
  templating: { list: Variable[] };
};

/** A query of a panel, as it is written, with variables. */
export const panelQueries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** The variables that ask Prometheus: `label_values(SELECTOR, LABEL)`. In the order of their dependencies. */
export const dashboardVariables = dashboard.templating.list
  .filter(({ type }) => type === 'query')
  .map(({ name, query }) => {
    const text = typeof query === 'string' ? query : query.query;
    const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(text) ?? [];
    return { name, selector, label };
  });

/** Replaces variables as Grafana does. An unknown one stays, so its query fails. */
export function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\w+)/g, (variable, name: string) => values[name] ?? variable);
}

/** What KEDA asks Prometheus for the number of servers. */
export function scalerQuery(): string {
  const [document] = parseAllDocuments(read('docker/kubernetes/keda/scaled-object.yaml'));
  const manifest: { spec: { triggers: { type: string; metadata: { query: string } }[] } } = document?.toJS();
  return manifest.spec.triggers.find(({ type }) => type === 'prometheus')?.metadata.query ?? '';
}

/**
 * The selectors of an expression without their label values: `a{b=~"x|y"}` becomes `a{b!=""}`. A healthy server has
 * series for each, even if none has the value that the alert looks for.
 */
export function selectorsOf(expression: string): string[] {
  const selectors = expression.matchAll(/\b((?:platen|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, metric = '', matchers = '']) => {
    const labels = [...matchers.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => `${label}!=""`);
    return `${metric}{${labels.join(',')}}`;
  });
}

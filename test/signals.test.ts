import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { parseExpression, type Selector } from './support/promql.js';
import { scrape, type Scrape } from './support/scrape.js';
import { startTestService, type TestService } from './support/service.js';
import { alerts, dashboard, metricsDocument, scrapeConfig, type Panel } from './support/signals.js';

/** Labels that Prometheus adds to every sample. */
const LABELS_OF_PROMETHEUS = ['job', 'instance'];
/** Metrics of Prometheus itself. */
const METRICS_OF_PROMETHEUS = ['up'];
/** Labels whose values depend on the requests or the environment. */
const OPEN_LABELS = ['status', 'method', ...LABELS_OF_PROMETHEUS];

const EXPRESSIONS = [
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, index) => [`panel "${title}", ${index + 1}`, expr] as const),
  ),
];

let service: TestService;
let scraped: Scrape;

beforeAll(async () => {
  // Metrics of capabilities that are off are absent.
  service = await startTestService({ env: { ACCOUNT_DELETION: 'self' } });
  await service.api('GET', '/health');
  scraped = await scrape(service);
});

afterAll(() => service.stop());

/** Returns the samples of a name in an expression. */
const samplesOf = (metric: string) => scraped.of(metric);

/** Returns the metric of a sample of a histogram. */
const metricOf = (sample: string): string => sample.replace(/_(bucket|sum|count)$/, '');

const isExported = (metric: string): boolean => samplesOf(metric).length > 0;

const labelsOf = (metric: string): string[] => [
  ...new Set(samplesOf(metric).flatMap(({ labels }) => Object.keys(labels))),
];

function valuesOf(metric: string, label: string): string[] {
  if (label === 'route') return allRoutes.map(({ path }) => path);
  return samplesOf(metric).map(({ labels }) => labels[label] ?? '');
}

function matchesNothing({ metric, matchers }: Selector): string[] {
  return matchers
    .filter(({ label }) => !OPEN_LABELS.includes(label))
    .filter(({ label, operator, value }) => {
      const pattern = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : undefined;
      return !valuesOf(metric, label).some((known) => (pattern ? pattern.test(known) : known === value));
    })
    .map(({ label, operator, value }) => `${label}${operator}"${value}"`);
}

describe('the expressions for Prometheus and Grafana', () => {
  it('the dashboards and alerts have more than a few expressions', () => {
    expect(EXPRESSIONS.length).toBeGreaterThan(50);
  });

  it.each(EXPRESSIONS)(
    '%s is PromQL, of metrics, labels and values that a running service has',
    (_what, expr) => {
      const { faults, selectors, labels } = parseExpression(expr);
      expect(faults).toEqual([]);
      expect(selectors.length).toBeGreaterThan(0);
      const own = selectors.filter(({ metric }) => !METRICS_OF_PROMETHEUS.includes(metric));
      expect(own.filter(({ metric }) => !isExported(metric))).toEqual([]);
      const known = [...LABELS_OF_PROMETHEUS, ...own.flatMap(({ metric }) => labelsOf(metric))];
      expect(labels.filter((label) => !known.includes(label))).toEqual([]);
      expect(own.flatMap(matchesNothing)).toEqual([]);
    },
  );

  it.each(['sum by (method (x)', 'rate(latchkey_refreshes_total[5m]'])(
    'the check reports invalid PromQL: %s',
    (expr) => {
      expect(parseExpression(expr).faults).not.toEqual([]);
    },
  );

  it('the check reports a value that no sample has', () => {
    const [selector] = parseExpression('latchkey_refreshes_total{outcome="reused"}').selectors;
    expect(selector && matchesNothing(selector)).toEqual(['outcome="reused"']);
  });
});

describe('the metrics of the service', () => {
  const own = (): string[] => [...scraped.types.keys()].filter((name) => name.startsWith('latchkey_'));
  const documented = [...metricsDocument.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);

  it('the metrics are documented, every one, and so are those of the process', () => {
    expect(own().length).toBeGreaterThan(20);
    expect([...scraped.types.keys()].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('the metrics are all that is documented', () => {
    const platformDependent = ['process_open_fds', 'process_max_fds'];
    const missing = documented.filter((name) => !scraped.types.has(name ?? ''));
    expect(missing.filter((name) => !platformDependent.includes(name ?? ''))).toEqual([]);
  });

  it('the metrics are on the dashboard, every one', () => {
    const shown = EXPRESSIONS.flatMap(([, expr]) => parseExpression(expr).selectors);
    const names = new Set(shown.flatMap(({ metric }) => [metric, metricOf(metric)]));
    expect(own().filter((name) => !names.has(name))).toEqual([]);
  });

  it('the metrics keep to the conventions: counters end in _total, units are base units', () => {
    for (const [name, type] of scraped.types) {
      expect(name).toMatch(/^[a-z][a-z0-9_]+$/);
      if (name.startsWith('latchkey_')) expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|percent)(_|$)/);
    }
  });
});

describe('an alert', () => {
  it.each(alerts)('the alert $alert has a description, an effect, a remedy and a link', (alert) => {
    const anchor = alert.alert.toLowerCase();
    expect(alert.annotations).toEqual({
      summary: expect.any(String) as string,
      description: expect.any(String) as string,
      action: expect.any(String) as string,
      runbook_url: `https://example.com/latchkey/docs/metrics.md#${anchor}`,
    });
    expect(['critical', 'warning']).toContain(alert.labels.severity);
    expect(metricsDocument).toContain(`\n### ${alert.alert}\n`);
  });

  it('an alert that names a job means the one that is scraped', () => {
    const jobs = alerts.flatMap(({ expr }) =>
      parseExpression(expr)
        .selectors.flatMap(({ matchers }) => matchers)
        .filter(({ label }) => label === 'job')
        .map(({ value }) => value),
    );
    expect(new Set(jobs)).toEqual(new Set(scrapeConfig.scrape_configs.map(({ job_name: name }) => name)));
  });
});

describe('the dashboard', () => {
  const { panels } = dashboard;

  it('the dashboard has panels of different ids that fit into the grid and lie beside each other', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x < 0 || x + w > 24)).toEqual([]);
    expect(
      panels.flatMap((panel, index) => panels.slice(index + 1).filter((other) => overlap(panel, other))),
    ).toEqual([]);
  });

  it('the dashboard queries its variables from labels that the service exports', () => {
    const queries = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    expect(queries).toHaveLength(2);
    for (const query of queries) {
      const [, selector = '', label] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? [];
      expect(parseExpression(selector)).toMatchObject({
        faults: [],
        selectors: [{ metric: 'latchkey_build_info' }],
      });
      expect(LABELS_OF_PROMETHEUS).toContain(label);
    }
  });

  function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  }
});

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { LabelValues, MetricDefinition } from '../../../packages/core/src/metrics/metric-definition.js';
import { processDefinitions } from '../../../packages/core/src/metrics/process-definitions.js';
import {
  scrapedDefinitions,
  serviceDefinitions,
} from '../../../packages/core/src/metrics/service-definitions.js';
import type { GeneratedDocument } from './generated-document.js';
import { metricsIntroduction } from './metrics-introduction.js';

const ALERTS = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yaml', import.meta.url));

interface AlertRules {
  groups: { rules: Alert[] }[];
}

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; action: string };
}

export const metricsDocument: GeneratedDocument = {
  path: 'docs/metrics.md',
  render: async () => {
    const { groups } = parse(await readFile(ALERTS, 'utf8')) as AlertRules;
    return [
      metricsIntroduction,
      '## Metrics',
      '### Service',
      tableOf({ ...serviceDefinitions, ...scrapedDefinitions }),
      '### Process',
      'The names are those that most Node.js services use.',
      tableOf(processDefinitions),
      '## Alerts',
      ALERTS_INTRODUCTION,
      ...groups.flatMap(({ rules }) => rules.map(alertOf)),
    ].join('\n\n');
  },
};

const ALERTS_INTRODUCTION =
  'The rules are in [`deploy/prometheus/alerts.yaml`](../deploy/prometheus/alerts.yaml), which is the source of this section.';

function tableOf(definitions: Record<string, MetricDefinition>): string {
  const rows = Object.values(definitions).map(
    ({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labelsOf(labels)} | ${cell(help)} |`,
  );
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function labelsOf(labels: Readonly<Record<string, LabelValues>>): string {
  const words = Object.entries(labels).map(([label, values]) => {
    const known = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ');
    return `\`${label}\`: ${known}`;
  });
  return cell(words.join('<br>'));
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Prometheus fills in `{{ … }}` when the alert fires; here it is replaced by the name of the value. */
const placeholders = (text: string): string =>
  text.replaceAll(/\{\{ (?:or )?\$(?:labels\.)?(\w+)[^}]*\}\}/g, (_all, name: string) => `*${name}*`);

function alertOf({ alert, expr, for: lasting, labels, annotations }: Alert): string {
  const { summary, description, action } = annotations;
  const duration = lasting === undefined ? 'at once' : `for ${lasting}`;
  return [
    `### ${alert}`,
    `${placeholders(summary)} (${labels.severity}, ${duration})`,
    description,
    `**What to do.** ${action}`,
    `\`\`\`promql\n${expr}\n\`\`\``,
  ].join('\n\n');
}

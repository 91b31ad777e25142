import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

export interface Alert {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

export interface Dashboard {
  templating: { list: { name: string; type: string; definition?: string }[] };
  panels: Panel[];
}

export const dashboard = JSON.parse(read('deploy/grafana/latchkey-dashboard.json')) as Dashboard;

export const alerts = (
  parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules);

export const scrapeConfig = parse(read('deploy/prometheus/scrape.yaml')) as {
  scrape_configs: { job_name: string; metrics_path: string }[];
  rule_files: string[];
};

export const metricsDocument = read('docs/metrics.md');

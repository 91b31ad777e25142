import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { describeWith } from './support/describe-with.js';
import { alerts } from './support/signals.js';

const FOLDER = fileURLToPath(new URL('../deploy/prometheus', import.meta.url));

const yamlOf = (file: string): unknown => parse(readFileSync(path.join(FOLDER, file), 'utf8'));

interface RuleTests {
  tests: { promql_expr_test: { expr: string; exp_samples: unknown[] }[] }[];
}

const testFiles = readdirSync(path.join(FOLDER, 'tests'));

const cases = testFiles
  .flatMap((file) => (yamlOf(`tests/${file}`) as RuleTests).tests)
  .flatMap((test) => test.promql_expr_test)
  .map(({ expr, exp_samples: samples }) => ({
    alert: /alertname="(\w+)"/.exec(expr)?.[1],
    fires: samples.length > 0,
  }));

const run = promisify(execFile);

/** Returns the output of promtool if it reports a problem, else an empty text. */
async function complaintsOf(args: string[]): Promise<string> {
  try {
    await run('promtool', args);
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    // Expressions are quoted in it.
    return (stdout + stderr).replaceAll('\\"', '"');
  }
}

/** Copies the folder for one test. */
function copyForThisTest(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'latchkey-rules-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(FOLDER, copy, { recursive: true });
  return copy;
}

/** Returns the complaints about a copy of the rules in which every alert has this expression and no delay. */
async function complaintsWith(expr: string): Promise<string> {
  const copy = copyForThisTest();
  const rules = alerts.map(({ alert }) => ({ alert, expr, labels: { severity: 'warning' } }));
  writeFileSync(path.join(copy, 'alerts.yaml'), stringify({ groups: [{ name: 'latchkey', rules }] }));
  return complaintsOf(['test', 'rules', ...testFiles.map((file) => path.join(copy, 'tests', file))]);
}

describe('the cases of the alerts', () => {
  it.each(alerts)('the cases make $alert fire and keep it silent', ({ alert }) => {
    expect(new Set(cases.filter((known) => known.alert === alert).map(({ fires }) => fires))).toEqual(
      new Set([true, false]),
    );
  });

  it('the cases are about existing alerts', () => {
    const names: (string | undefined)[] = alerts.map(({ alert }) => alert);
    expect(cases.filter(({ alert }) => !names.includes(alert))).toEqual([]);
  });
});

const promtool = {
  name: 'promtool',
  isThere: spawnSync('promtool', ['--version']).status === 0,
  install: 'install prometheus, which brings promtool (apt-get install prometheus)',
};

describeWith(promtool, 'promtool', () => {
  it('promtool finds that every alert behaves as in its cases', async () => {
    const files = testFiles.map((file) => path.join(FOLDER, 'tests', file));
    expect(await complaintsOf(['test', 'rules', ...files])).toBe('');
  });

  it.each(['vector(0) > 1', 'vector(1)'])(
    'promtool fails the cases of every alert if its expression is %s',
    async (expr) => {
      const complaints = await complaintsWith(expr);
      expect(alerts.filter(({ alert }) => !complaints.includes(`alertname="${alert}"`))).toEqual([]);
    },
  );

  it.each(['scrape.yaml', 'scrape-kubernetes.yaml'])('promtool accepts %s', async (file) => {
    const copy = path.join(copyForThisTest(), file);
    // Distributions build it without the discovery of Kubernetes.
    const text = readFileSync(copy, 'utf8').replace(/kubernetes_sd_configs:[^]*?relabel/, 'relabel');
    writeFileSync(copy, text);
    expect(await complaintsOf(['check', 'config', '--syntax-only', copy])).toBe('');
  });
});

describe('discovery in a cluster', () => {
  const deployment = parse(readFileSync(path.join(FOLDER, '../kubernetes/deployment.yaml'), 'utf8')) as {
    spec: { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
  };
  interface PodSpec {
    containers: { ports: { name: string }[] }[];
  }
  const { metadata, spec } = deployment.spec.template;
  const portNames = spec.containers.flatMap(({ ports }) => ports.map(({ name }) => name));

  it('discovery by the pod monitor gives the job that the alerts select', () => {
    const monitor = (
      yamlOf('podmonitor.yaml') as {
        spec: {
          jobLabel: string;
          selector: { matchLabels: Record<string, string> };
          podMetricsEndpoints: { port: string }[];
        };
      }
    ).spec;
    expect(metadata.labels[monitor.jobLabel]).toBe('latchkey');
    expect(metadata.labels).toMatchObject(monitor.selector.matchLabels);
    expect(portNames).toEqual(expect.arrayContaining(monitor.podMetricsEndpoints.map(({ port }) => port)));
  });

  it('discovery by annotations gives the job that the alerts select', () => {
    const { scrape_configs: jobs } = yamlOf('scrape-kubernetes.yaml') as {
      scrape_configs: { job_name: string; relabel_configs: { source_labels: string[]; regex?: string }[] }[];
    };
    expect(jobs.map(({ job_name: name }) => name)).toEqual(['latchkey']);
    const rules = jobs.flatMap((job) => job.relabel_configs);
    const wantedPort = rules.find((rule) => rule.source_labels[0]?.endsWith('port_name'))?.regex;
    expect(portNames).toContain(wantedPort);
  });
});

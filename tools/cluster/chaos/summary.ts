import type { CheckResult } from './check-result.js';
import type { PlannedFault } from './fault-plan.js';
import type { Attempt } from './journal.js';
import { outagesOf, recoveryMs, type Outage, type ProbeResult } from './probe.js';

export interface RunResult {
  faults: readonly PlannedFault[];
  attempts: readonly Attempt[];
  probes: readonly ProbeResult[];
  checks: readonly CheckResult[];
}

const SHOWN_FAILURES = 20;

/** Returns the result of a run as a text for the terminal. */
export function summarize({ faults, attempts, probes, checks }: RunResult): string {
  const outages = outagesOf(probes);
  return [
    '',
    `${faults.length} faults; "no write" is the longest time from the start of such a fault to the next acknowledged write`,
    ...faultLines(faults, outages),
    '',
    `${attempts.length.toLocaleString('en')} requests of users`,
    ...statusLines(attempts),
    '',
    ...outageLines(outages, probes),
    '',
    ...checks.flatMap(checkLines),
  ].join('\n');
}

function faultLines(faults: readonly PlannedFault[], outages: readonly Outage[]): string[] {
  const groups = new Map<string, number[]>();
  for (const fault of faults) {
    // Of three parts of a kind it does not matter which.
    const key = `${fault.kind.padEnd(6)}  ${fault.part.replaceAll(/-\d\b/g, '')}`;
    groups.set(key, [...(groups.get(key) ?? []), recoveryMs(fault, outages)]);
  }
  return [...groups].sort().map(([key, recoveries]) => {
    const longest = Math.max(...recoveries);
    const effect = longest === 0 ? 'not noticed' : `no write for ${seconds(longest)}`;
    return `  ${String(recoveries.length).padStart(3)}  ${key.padEnd(38)}  ${effect}`;
  });
}

function statusLines(attempts: readonly Attempt[]): string[] {
  const counts = new Map<string, number>();
  for (const { status, code } of attempts) {
    const key = status === 0 ? 'no response' : `${status} ${code ?? ''}`.trim();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort().map(([key, count]) => `  ${count.toLocaleString('en').padStart(7)}  ${key}`);
}

function outageLines(outages: readonly Outage[], probes: readonly ProbeResult[]): string[] {
  const total = outages.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const longest = Math.max(0, ...outages.map(({ startMs, endMs }) => endMs - startMs));
  const failed = probes.filter(({ isAcknowledged }) => !isAcknowledged).length;
  return [
    `Writes of a probe: ${probes.length}, of which ${failed} failed; ${outages.length} outages, ${seconds(total)} in all, ` +
      `the longest ${seconds(longest)}`,
  ];
}

function checkLines({ title, count, failures }: CheckResult): string[] {
  const verdict = failures.length === 0 ? 'ok    ' : 'FAILED';
  const shown = failures.slice(0, SHOWN_FAILURES).map((failure) => `          ${failure}`);
  const more =
    failures.length > SHOWN_FAILURES ? [`          and ${failures.length - SHOWN_FAILURES} more`] : [];
  return [`${verdict}  ${title} (${count.toLocaleString('en')} checked)`, ...shown, ...more];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

import { settingDefinitions } from '../../../packages/core/src/settings/setting-definitions.js';
import { defaultOf } from './setting-rules.js';

/** Seconds for which a stopping service waits for the last clients to leave, at most. */
const DRAIN = 2;

/** Seconds until the proxies of a cluster have learnt that a pod goes. */
const LEARNING = 5;

/** Returns the faults of the time that a service has to stop, and of the time that its proxies have to notice. */
export function faultsOfStop(
  environment: Readonly<Record<string, string>>,
  { graceSeconds, sleep = 0 }: { graceSeconds: number; sleep?: number },
): string[] {
  const serving = sleep + secondsOf('SHUTDOWN_DELAY', environment);
  const needed = serving + DRAIN + secondsOf('SHUTDOWN_TIMEOUT', environment);
  return [
    ...(graceSeconds > needed ? [] : [`a stop takes up to ${needed} s and is given ${graceSeconds} s`]),
    ...(serving >= LEARNING
      ? []
      : [`a stop goes on serving for ${serving} s, and proxies need ${LEARNING} s to notice`]),
  ];
}

/** The value of a duration; where none is set, that of production, with which its default begins. */
function secondsOf(name: string, environment: Readonly<Record<string, string>>): number {
  const text = environment[name] ?? /^\d+/.exec(defaultOf(name))?.[0];
  const parsed = settingDefinitions.find((setting) => setting.name === name)?.parse(text);
  return parsed?.ok ? Number(parsed.value) : Number.NaN;
}

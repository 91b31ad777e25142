import type { Settings } from '@latchkey/core';
import { inspectSettings, type SettingsInspection } from '@latchkey/core/settings';
import { allChecks } from '../../../packages/operations/src/doctor/all-checks.js';
import type { CheckStatus, Verdict } from '../../../packages/operations/src/doctor/check.js';
import type { FactName, Facts } from '../../../packages/operations/src/doctor/facts.js';
import { known, unasked, type PendingFacts } from '../../../packages/operations/src/doctor/probe-result.js';
import { testKeys } from '../test-keys.js';

/** Facts, and the expected verdict of a check. */
export interface CheckCase {
  id: string;
  /** The condition, for the title of a test. */
  when: string;
  status: CheckStatus;
  facts: Partial<Facts>;
}

const FACT_NAMES: readonly FactName[] = [
  'inspection',
  'settings',
  'replicas',
  'keys',
  'hashing',
  'breachList',
  'geoip',
  'runtime',
  'dataFolder',
  'database',
  'databaseHosts',
  'schema',
  'content',
  'redis',
  'mailServer',
  'sender',
  'providers',
  'coreService',
  'finance',
];

/** Returns the verdict of a check on these facts; all others are unknown. */
export function verdictOf(id: string, facts: Partial<Facts>): Promise<Verdict> {
  const found = allChecks.find((each) => each.id === id);
  if (!found) throw new Error(`there is no check ${id}`);
  const outcomes = FACT_NAMES.map((name) => [
    name,
    Promise.resolve(name in facts ? known(facts[name]) : unasked('not probed in this test')),
  ]);
  return found.verdict(Object.fromEntries(outcomes) as PendingFacts);
}

export const inspected = (source: Record<string, string>): SettingsInspection => inspectSettings({ source });

/** Returns settings of a service in development. */
export function settingsWith(source: Record<string, string> = {}): Settings {
  const { settings, faults } = inspected(source);
  if (!settings) throw new Error(`these settings are faulty: ${JSON.stringify(faults)}`);
  return settings;
}

/** Returns valid settings of a service in production, with these changes. */
export const productionWith = (changes: Record<string, string> = {}): Settings =>
  settingsWith({ ...productionSource(), ...changes });

export const productionSource = (): Record<string, string> => ({
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://latchkey:a-secret-word@db.example.com/auth',
  REDIS_URL: 'rediss://cache.example.com:6379',
  JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
  AUTH_BASE_URL: 'https://auth.example.com',
  TRUST_PROXY: '1',
});

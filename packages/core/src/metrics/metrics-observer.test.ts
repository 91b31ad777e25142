import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { MetricsObserver } from './metrics-observer.js';

const CHEAP = { memoryKib: 1024, iterations: 1, parallelism: 1 };

describe('passwords', () => {
  it('hashed passwords are timed, and passwords that the full queue rejects are counted', async () => {
    const registry = new Registry();
    const observer = new MetricsObserver(registry);
    const hasher = await PasswordHasher.start({ ...CHEAP, workers: 1, maxQueue: 0, observer });
    onTestFinished(() => hasher.close());
    const outcomes = await Promise.allSettled([hasher.hash('one'), hasher.hash('two'), hasher.hash('three')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    const text = await registry.metrics();
    expect(text).toContain('latchkey_password_hashing_duration_seconds_count{operation="hash"} 1');
    expect(text).toContain('latchkey_password_hashing_refused_total 2');
  });
});

it('every possible outcome is 0 before its first occurrence', async () => {
  const registry = new Registry();
  expect(new MetricsObserver(registry)).toBeDefined();
  const text = await registry.metrics();
  expect(text).toContain('latchkey_sign_ins_total{method="passkey",outcome="denied"} 0');
  expect(text).toContain('latchkey_refreshes_total{outcome="reuse"} 0');
  expect(text).toContain('latchkey_entitlements_lookup_duration_seconds_count{outcome="error"} 0');
});

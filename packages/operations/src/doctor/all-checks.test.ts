import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../test/support/doctor/check-case.js';
import { dependencyCases } from '../../../../test/support/doctor/dependency-cases.js';
import { neighbourCases } from '../../../../test/support/doctor/neighbour-cases.js';
import { ownCases } from '../../../../test/support/doctor/own-cases.js';
import { allChecks } from './all-checks.js';
import { absent, ask, unasked, type PendingFacts } from './probe-result.js';

const CASES = [...ownCases(), ...dependencyCases(), ...neighbourCases()];

it.each(CASES.map((each) => [each.id, each.when, each.status, each.facts] as const))(
  'the check %s, when %s, reports %s',
  async (id, _when, status, facts) => {
    const verdict = await verdictOf(id, facts);
    expect(verdict.status, verdict.found).toBe(status);
    expect(verdict.found).not.toBe('');
    const hasRemedy = status === 'warning' || status === 'error';
    expect(verdict.fix ?? '').toMatch(hasRemedy ? /\S/ : /^$/);
  },
);

/** Checks of dependencies that fail only by giving no answer. */
const REACHING = ['mail.reachable', 'finance.reachable', 'machine.breach_list', 'machine.geoip'];

describe('every check', () => {
  it.each(allChecks.map(({ id }) => id))('the cases of %s contain a success and a complaint', (id) => {
    const seen = CASES.filter((each) => each.id === id).map(({ status }) => status);
    expect(seen).toContain('ok');
    if (!REACHING.includes(id))
      expect(seen.some((status) => status !== 'ok' && status !== 'skipped')).toBe(true);
  });

  it('every check has a unique id and a readable title and reason', () => {
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
    for (const { id, title, why } of allChecks) {
      expect(id).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect(title).toMatch(/^\S.*[^.\s]$/);
      expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('a check of something that answers', () => {
  const verdictWith = (redis: PendingFacts['redis']) => {
    const [check] = allChecks.filter(({ id }) => id === 'redis.reachable');
    return check?.verdict({ redis } as PendingFacts);
  };

  it('a check fails with the reason if the dependency does not answer', async () => {
    const failed = ask(() => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:6379\n  at …')));
    expect(await verdictWith(failed)).toMatchObject({
      status: 'error',
      found: 'connect ECONNREFUSED 127.0.0.1:6379',
      fix: expect.stringContaining('REDIS_URL') as string,
    });
  });

  it('a check fails if the dependency takes too long', async () => {
    expect(await verdictWith(ask(() => new Promise(() => undefined), 20))).toMatchObject({
      status: 'error',
      found: 'no answer within 0.02 s',
    });
  });

  it('a check does not show a password that a driver repeats', async () => {
    const failed = ask(() => Promise.reject(new Error('cannot parse redis://:hidden-word@cache')));
    expect((await verdictWith(failed))?.found).toBe('cannot parse redis://(hidden)@cache');
  });

  it.each([absent('not configured'), unasked('not checked')])(
    'a check is skipped for the probe result %j',
    async (outcome) => {
      expect(await verdictWith(Promise.resolve(outcome))).toMatchObject({ status: 'skipped' });
    },
  );
});

import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../test/support/doctor/check-case.js';
import { dependencyCases } from '../../../../test/support/doctor/dependency-cases.js';
import { neighbourCases } from '../../../../test/support/doctor/neighbour-cases.js';
import { ownCases } from '../../../../test/support/doctor/own-cases.js';
import { allChecks } from './all-checks.js';
import { absent, ask, unasked, type PendingFacts } from './probe-result.js';

const CASES = [...ownCases(), ...dependencyCases(), ...neighbourCases()];

it.each(CASES.map((each) => [each.id, each.when, each.status, each.facts] as const))(
  '%s, when %s: %s',
  async (id, _when, status, facts) => {
    const verdict = await verdictOf(id, facts);
    expect(verdict.status, verdict.found).toBe(status);
    expect(verdict.found).not.toBe('');
    const hasRemedy = status === 'warning' || status === 'error';
    expect(verdict.fix ?? '').toMatch(hasRemedy ? /\S/ : /^$/);
  },
);

/** No answer at all is their failure. */
const REACHING = ['mail.reachable', 'finance.reachable'];

describe('every check', () => {
  it.each(allChecks.map(({ id }) => id))('%s is seen to pass and to complain', (id) => {
    const seen = CASES.filter((each) => each.id === id).map(({ status }) => status);
    expect(seen).toContain('ok');
    if (!REACHING.includes(id))
      expect(seen.some((status) => status !== 'ok' && status !== 'skipped')).toBe(true);
  });

  it('has an id of its own, and words that can be read', () => {
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

  it('fails with the reason when it does not', async () => {
    const failed = ask(() => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:6379\n  at …')));
    expect(await verdictWith(failed)).toMatchObject({
      status: 'error',
      found: 'connect ECONNREFUSED 127.0.0.1:6379',
      fix: expect.stringContaining('REDIS_URL') as string,
    });
  });

  it('fails when it takes too long', async () => {
    expect(await verdictWith(ask(() => new Promise(() => undefined), 20))).toMatchObject({
      status: 'error',
      found: 'no answer within 0.02 s',
    });
  });

  it('shows no password that a driver repeats', async () => {
    const failed = ask(() => Promise.reject(new Error('cannot parse redis://:hidden-word@cache')));
    expect((await verdictWith(failed))?.found).toBe('cannot parse redis://(hidden)@cache');
  });

  it.each([absent('not configured'), unasked('not looked at')])('is skipped when %j', async (outcome) => {
    expect(await verdictWith(Promise.resolve(outcome))).toMatchObject({ status: 'skipped' });
  });
});

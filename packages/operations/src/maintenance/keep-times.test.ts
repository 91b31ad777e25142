import { describe, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core/internal/settings/read-settings';
import type { CleanupRequest } from './cleanup.js';
import { keepTimesOf } from './keep-times.js';
import { RETENTION_KINDS, retentionsOf, type RetentionKind } from './retention.js';

const DAY = 86_400;

function keepTimes(request: CleanupRequest, env: Record<string, string> = {}) {
  const settings = readSettings({ APP_ENV: 'test', ...env });
  const times = keepTimesOf(request, retentionsOf(settings));
  return Object.fromEntries(times.map(({ kind, keep }) => [kind, keep / DAY]));
}

describe('default keep times', () => {
  it('all kinds but audit rows have a default keep time', () => {
    expect(keepTimes({})).toEqual({
      sessions: 30,
      resets: 7,
      invitations: 400,
      'api-keys': 90,
      mail: 30,
      webhooks: 7,
      revocations: 25 / 24,
      roles: 400,
    });
  });

  it.each([
    [{ SESSION_MAX_LIFETIME: '90d' }, { sessions: 90 }],
    [{ REFRESH_TOKEN_TTL: '60d' }, { sessions: 60 }],
    [{ SESSION_MAX_LIFETIME: '1d', REFRESH_TOKEN_TTL: '1d' }, { sessions: 30 }],
    [{ INVITATION_TTL: '90d' }, { invitations: 400 }],
  ])('the settings %j have the default keep times %j, in days', (env, days) => {
    expect(keepTimes({}, env)).toMatchObject(days);
  });
});

describe('requested keep times', () => {
  it('each kind may have a keep time of its own, audit rows included', () => {
    const keep = {
      sessions: 40 * DAY,
      resets: 3600,
      invitations: 7 * DAY,
      'api-keys': 3600,
      mail: 0,
      revocations: 2 * DAY,
      roles: DAY,
      audit: DAY,
    };
    expect(keepTimes({ keep })).toEqual({
      sessions: 40,
      resets: 1 / 24,
      invitations: 7,
      'api-keys': 1 / 24,
      mail: 0,
      webhooks: 7,
      revocations: 2,
      roles: 1,
      audit: 1,
    });
  });

  it('only the named kinds are cleaned up', () => {
    expect(keepTimes({ only: ['mail', 'sessions'] })).toEqual({ sessions: 30, mail: 30 });
    expect(keepTimes({ only: [] })).toEqual({});
    expect(keepTimes({ only: ['audit'], keep: { audit: 400 * DAY } })).toEqual({ audit: 400 });
  });

  it('a clean-up of audit rows alone requires a keep time', () => {
    expect(() => keepTimes({ only: ['audit'] })).toThrow(/audit: rows are kept indefinitely/);
  });
});

describe('minimum keep times', () => {
  it.each<[RetentionKind, number, Record<string, string>, string]>([
    ['sessions', 30 * DAY, {}, '30d (SESSION_MAX_LIFETIME)'],
    ['sessions', 45 * DAY, { REFRESH_TOKEN_TTL: '45d' }, '45d (REFRESH_TOKEN_TTL)'],
    [
      'sessions',
      7200,
      { SESSION_MAX_LIFETIME: '1h', REFRESH_TOKEN_TTL: '1h', ACCESS_TOKEN_TTL: '2h' },
      '2h (ACCESS_TOKEN_TTL)',
    ],
    [
      'sessions',
      300,
      { SESSION_MAX_LIFETIME: '9s', REFRESH_TOKEN_TTL: '9s', ACCESS_TOKEN_TTL: '9s' },
      '5m (the duration of a passkey ceremony)',
    ],
    ['resets', 3600, {}, '1h (replicas of the previous version count them)'],
    ['invitations', 7 * DAY, {}, '7d (INVITATION_TTL)'],
    ['api-keys', 3600, {}, '1h (keys that were made in the last hour are counted)'],
    ['revocations', 25 * 3600, {}, '25h (the longest possible ACCESS_TOKEN_TTL, with leeway)'],
    ['audit', DAY, {}, '1d (a log of less than a day is of no use)'],
  ])('%s may be kept for %i seconds and no second less under %j', (kind, least, env, reason) => {
    expect(keepTimes({ only: [kind], keep: { [kind]: least } }, env)).toEqual({ [kind]: least / DAY });
    expect(() => keepTimes({ keep: { [kind]: least - 1 } }, env)).toThrow(
      `${kind}: ${least - 1}s is too short. Keep rows for at least ${reason}.`,
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 4e9])('%d is rejected as a keep time', (mail) => {
    expect(() => keepTimes({ keep: { mail } })).toThrow(/mail: must be kept for a whole number of seconds/);
  });
});

it('there is a retention for every kind', () => {
  const retentions = retentionsOf(readSettings({ APP_ENV: 'test' }));
  expect(retentions.map(({ kind }) => kind)).toEqual([...RETENTION_KINDS]);
});

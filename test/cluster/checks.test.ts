import { describe, expect, it } from 'vitest';
import {
  acceptedAfterEnd,
  lostWrites,
  secondSuccessors,
  type StoredState,
} from '../../tools/cluster/chaos/checks.js';
import type { Attempt } from '../../tools/cluster/chaos/journal.js';
import { unexplainedRefusals } from '../../tools/cluster/chaos/refusals.js';

const session = { email: 'ada@example.com', userId: 'user', sessionId: 'session' };

/** A request that is sent at this time and answered 10 ms later. */
const at = (sentAt: number, details: Partial<Attempt> & Pick<Attempt, 'operation'>): Attempt => ({
  ...session,
  sentAt,
  answeredAt: sentAt + 10,
  status: 200,
  ...details,
});
const registered = at(0, { operation: 'register', status: 201, userId: undefined, sessionId: undefined });
const signedIn = at(20, { operation: 'sign-in' });
const rotated = at(40, { operation: 'refresh', token: 'a', successor: 'b' });
const signedOut = at(60, { operation: 'sign-out' });

const stored = (isActive: boolean, isRevoked: boolean, generation: number): StoredState => ({
  users: new Map([[session.email, { isActive }]]),
  sessions: new Map([[session.sessionId, { isRevoked, generation }]]),
});
const nothing: StoredState = { users: new Map(), sessions: new Map() };

describe('acknowledged writes', () => {
  const history = [registered, signedIn, rotated, signedOut];

  it('writes that are all stored are not reported as lost', () => {
    expect(lostWrites(history, stored(true, true, 1))).toMatchObject({ count: 4, failures: [] });
  });

  it('a lost registration, sign-in, rotation and sign-out are each reported', () => {
    expect(lostWrites(history, nothing).failures).toHaveLength(4);
    expect(lostWrites(history, stored(true, false, 1)).failures).toEqual([
      'the end of session session by sign-out',
    ]);
    expect(lostWrites(history, stored(true, true, 0)).failures).toHaveLength(1);
  });

  it('a lost deactivation is reported with the sessions that it should have ended', () => {
    const deactivated = at(60, { operation: 'deactivate' });
    expect(lostWrites([signedIn, deactivated], stored(true, false, 0)).failures).toEqual([
      'the end of ada@example.com',
      'the end of session session by deactivate',
    ]);
  });

  it('a write that was not acknowledged may be lost', () => {
    const unknown = history.map((attempt) => ({ ...attempt, status: 503 }));
    expect(lostWrites(unknown, nothing)).toMatchObject({ count: 0, failures: [] });
  });

  it('the end of all sessions does not concern one that was opened later', () => {
    const ended = at(5, { operation: 'revoke-all' });
    expect(lostWrites([ended, signedIn], stored(true, false, 0)).failures).toEqual([]);
  });
});

describe('ended sessions', () => {
  it('a session that is accepted after its end was acknowledged is reported', () => {
    const late = at(100, { operation: 'me' });
    expect(acceptedAfterEnd([signedIn, signedOut, late]).failures).toEqual([
      'me of ada@example.com, session session: accepted 30 ms after its end',
    ]);
    expect(acceptedAfterEnd([signedIn, signedOut, { ...late, operation: 'refresh' }]).failures).toHaveLength(
      1,
    );
  });

  it('a session that is refused after its end is counted as checked', () => {
    const refused = at(100, { operation: 'me', status: 401 });
    expect(acceptedAfterEnd([signedIn, signedOut, refused])).toMatchObject({ count: 1, failures: [] });
  });

  it('a request that was sent before the end was acknowledged may be accepted', () => {
    expect(acceptedAfterEnd([signedIn, signedOut, at(65, { operation: 'me' })]).failures).toEqual([]);
  });

  it('an end that was not acknowledged forbids nothing', () => {
    const unknown = { ...signedOut, status: 503 };
    expect(acceptedAfterEnd([signedIn, unknown, at(100, { operation: 'me' })]).failures).toEqual([]);
  });

  it('a sign-in of a deactivated account is reported', () => {
    const history = [signedIn, at(60, { operation: 'deactivate' }), at(100, { operation: 'sign-in' })];
    expect(acceptedAfterEnd(history).failures).toHaveLength(1);
  });
});

describe('successors of a refresh token', () => {
  it('two different successors of one token are reported', () => {
    const second = at(45, { operation: 'refresh', token: 'a', successor: 'c' });
    expect(secondSuccessors([rotated, second]).failures).toEqual(['a token ending in a has 2 successors']);
  });

  it('the same successor may be returned twice', () => {
    const repeated = at(45, { operation: 'refresh', token: 'a', successor: 'b' });
    expect(secondSuccessors([rotated, repeated])).toMatchObject({ count: 1, failures: [] });
  });
});

describe('refusals', () => {
  const refused = (sentAt: number, operation: Attempt['operation'], code: string) =>
    at(sentAt, { operation, status: 401, code });

  it('a 401 of an active session is reported, such as one because a dependency was down', () => {
    for (const code of ['unauthorized', 'session_revoked']) {
      expect(unexplainedRefusals([signedIn, refused(100, 'me', code)]).failures).toHaveLength(1);
    }
  });

  it('a 401 of a session that was to be ended is explained, acknowledged or not', () => {
    const after = refused(100, 'me', 'session_revoked');
    for (const status of [200, 503, 0]) {
      expect(unexplainedRefusals([signedIn, { ...signedOut, status }, after]).failures).toEqual([]);
    }
    expect(unexplainedRefusals([signedIn, at(200, { operation: 'sign-out' }), after]).failures).toHaveLength(
      1,
    );
  });

  it('a 401 with the wrong reason is reported even for an ended session', () => {
    const history = [signedIn, signedOut, refused(100, 'me', 'unauthorized')];
    expect(unexplainedRefusals(history).failures).toEqual([
      'me of ada@example.com: 401 unauthorized at 0.1 s',
    ]);
  });

  it('a rejected sign-in is explained only if the registration was not acknowledged', () => {
    const signIn = refused(100, 'sign-in', 'unauthorized');
    expect(unexplainedRefusals([registered, signIn]).failures).toHaveLength(1);
    expect(unexplainedRefusals([{ ...registered, status: 503 }, signIn]).failures).toEqual([]);
  });

  it('a revocation as reuse is explained only by a refresh without a response', () => {
    const reused = refused(100, 'refresh', 'session_revoked');
    expect(unexplainedRefusals([signedIn, { ...rotated, status: 0 }, reused]).failures).toEqual([]);
    expect(unexplainedRefusals([signedIn, rotated, reused]).failures).toHaveLength(1);
  });

  it('an outage is no refusal, and a defect of the service is one', () => {
    const statuses = (status: number) =>
      unexplainedRefusals([at(0, { operation: 'me', status })]).failures.length;
    expect([0, 408, 502, 503, 504].map(statuses)).toEqual([0, 0, 0, 0, 0]);
    expect([400, 404, 429, 500].map(statuses)).toEqual([1, 1, 1, 1]);
  });
});

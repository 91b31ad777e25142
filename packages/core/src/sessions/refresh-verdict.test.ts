import { describe, expect, it } from 'vitest';
import { digestOf } from '../kernel/secret.js';
import { judgeRefresh, type RefreshTiming } from './refresh-verdict.js';
import type { FoundSession } from './rotation-repository.js';
import type { PresentedToken } from './session-repository.js';

const session = (fields: Partial<FoundSession> = {}): FoundSession => ({
  sessionId: 'session',
  userId: 'user',
  globalRole: 'NONE',
  tokenVersion: 1,
  authTime: 0,
  amr: ['pwd'],
  generation: 5,
  secretDigest: digestOf('secret 5'),
  isRevoked: false,
  isExpired: false,
  rotationLead: 60_000,
  approvalStatus: 'APPROVED',
  isActive: true,
  ...fields,
});

const token = (generation: number, fields: Partial<PresentedToken> = {}): PresentedToken => ({
  selectorDigest: digestOf('selector'),
  generation,
  secretDigest: digestOf(`secret ${generation}`),
  isGenuine: true,
  ...fields,
});

const strict: RefreshTiming = { answerDelay: 15, stalledFor: 0, reuseGrace: 0 };
const judge = (presented: PresentedToken, found?: FoundSession, timing: Partial<RefreshTiming> = {}) =>
  judgeRefresh(presented, found, { ...strict, ...timing });

describe('a token that was never issued', () => {
  it('is unknown where no session has its selector', () => {
    expect(judge(token(5))).toBe('unknown');
  });

  it.each([0, 4, 5, 6])('is unknown in generation %i and says nothing of the session', (generation) => {
    const forged = token(generation, { isGenuine: false, secretDigest: digestOf('guess') });
    expect(judge(forged, session())).toBe('unknown');
    expect(judge(forged, session({ isRevoked: true }))).toBe('unknown');
    expect(judge(forged, session({ isExpired: true }))).toBe('unknown');
  });

  it('is unknown even if it is derived like ours, in the current generation or a later one', () => {
    expect(judge(token(5, { secretDigest: digestOf('other pepper') }), session())).toBe('unknown');
    expect(judge(token(6), session())).toBe('unknown');
  });
});

describe('the current token', () => {
  it('is good without a pepper that knows it', () => {
    expect(judge(token(5, { isGenuine: false }), session())).toBe('successor');
  });

  it('of an ended session is revoked, of an expired one expired; ended counts first', () => {
    expect(judge(token(5), session({ isRevoked: true }))).toBe('revoked');
    expect(judge(token(5), session({ isExpired: true }))).toBe('expired');
    expect(judge(token(5), session({ isRevoked: true, isExpired: true }))).toBe('revoked');
  });
});

describe('an earlier token', () => {
  it('is reused, whatever its age', () => {
    for (const generation of [0, 3, 4]) expect(judge(token(generation), session())).toBe('reused');
  });

  it('of a session that has ended anyhow changes nothing', () => {
    expect(judge(token(4), session({ isRevoked: true }))).toBe('revoked');
    expect(judge(token(4), session({ isExpired: true }))).toBe('expired');
  });

  it('gets the successor when it was here before the rotation, or before its answer can have left', () => {
    expect(judge(token(4), session({ rotationLead: -3 }))).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 15 }))).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 15.01 }))).toBe('reused');
  });

  it('gets the successor when it may have waited unseen since before the rotation', () => {
    expect(judge(token(4), session({ rotationLead: 70 }), { stalledFor: 70 })).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 71 }), { stalledFor: 70 })).toBe('reused');
  });

  it('gets the successor within the grace, if it is the one right before', () => {
    const timing = { reuseGrace: 10_000 };
    expect(judge(token(4), session({ rotationLead: 10_000 }), timing)).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 10_001 }), timing)).toBe('reused');
    expect(judge(token(3), session({ rotationLead: 1 }), timing)).toBe('reused');
  });

  it('is reused when the session does not know of a rotation', () => {
    expect(judge(token(4), session({ rotationLead: null }), { reuseGrace: 10_000 })).toBe('reused');
  });
});

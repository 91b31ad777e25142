import { describe, expect, it } from 'vitest';
import { digestOf } from '../kernel/secret.js';
import { judgeRefresh, type RefreshTiming } from './refresh-verdict.js';
import type { FoundSession, PresentedToken } from './rotation-repository.js';

const session = (fields: Partial<FoundSession> = {}): FoundSession => ({
  sessionId: 'session',
  userId: 'user',
  globalRole: 'NONE',
  tokenVersion: 1,
  authTime: 0,
  amr: ['pwd'],
  acr: 'aal1',
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
  it('a token without a session of its selector is unknown', () => {
    expect(judge(token(5))).toBe('unknown');
  });

  it.each([0, 4, 5, 6])(
    'a token that was never issued is unknown in generation %i and reveals nothing of the session',
    (generation) => {
      const forged = token(generation, { isGenuine: false, secretDigest: digestOf('guess') });
      expect(judge(forged, session())).toBe('unknown');
      expect(judge(forged, session({ isRevoked: true }))).toBe('unknown');
      expect(judge(forged, session({ isExpired: true }))).toBe('unknown');
    },
  );

  it('a correctly derived token that was never issued is unknown, in the current generation or a later one', () => {
    expect(judge(token(5, { secretDigest: digestOf('other pepper') }), session())).toBe('unknown');
    expect(judge(token(6), session())).toBe('unknown');
  });
});

describe('the current token', () => {
  it('the current token is valid without the pepper that derived it', () => {
    expect(judge(token(5, { isGenuine: false }), session())).toBe('successor');
  });

  it('the current token of a revoked session is revoked, of an expired one expired; revoked takes precedence', () => {
    expect(judge(token(5), session({ isRevoked: true }))).toBe('revoked');
    expect(judge(token(5), session({ isExpired: true }))).toBe('expired');
    expect(judge(token(5), session({ isRevoked: true, isExpired: true }))).toBe('revoked');
  });
});

describe('an earlier token', () => {
  it('an earlier token is reused, whatever its age', () => {
    for (const generation of [0, 3, 4]) expect(judge(token(generation), session())).toBe('reused');
  });

  it('an earlier token of a revoked or expired session changes nothing', () => {
    expect(judge(token(4), session({ isRevoked: true }))).toBe('revoked');
    expect(judge(token(4), session({ isExpired: true }))).toBe('expired');
  });

  it('an earlier token gets the successor when it arrived before the rotation, or before its answer can have left', () => {
    expect(judge(token(4), session({ rotationLead: -3 }))).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 15 }))).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 15.01 }))).toBe('reused');
  });

  it('an earlier token gets the successor when it may have waited unseen since before the rotation', () => {
    expect(judge(token(4), session({ rotationLead: 70 }), { stalledFor: 70 })).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 71 }), { stalledFor: 70 })).toBe('reused');
  });

  it('the previous token gets the successor within the grace', () => {
    const timing = { reuseGrace: 10_000 };
    expect(judge(token(4), session({ rotationLead: 10_000 }), timing)).toBe('successor');
    expect(judge(token(4), session({ rotationLead: 10_001 }), timing)).toBe('reused');
    expect(judge(token(3), session({ rotationLead: 1 }), timing)).toBe('reused');
  });

  it('an earlier token is reused when the session has no recorded rotation', () => {
    expect(judge(token(4), session({ rotationLead: null }), { reuseGrace: 10_000 })).toBe('reused');
  });
});

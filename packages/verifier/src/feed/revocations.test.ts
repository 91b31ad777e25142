import { expect, it } from 'vitest';
import { Revocations } from './revocations.js';

const SID = '018f4e6e-0000-7000-8000-00000000000a';

function revocationsKept(keepSeconds: number) {
  const clock = { seconds: 0, wall: 0, now: () => clock.wall, elapsed: () => clock.seconds * 1000 };
  return { clock, revocations: new Revocations({ clock, keepSeconds }) };
}

it('an entry is forgotten when no token of it can be valid any more, and not before', () => {
  const { clock, revocations } = revocationsKept(960);
  revocations.add({ type: 'session-revoked', sid: SID });
  revocations.add({ type: 'token-claims-change', sub: SID, minTokenVersion: 2 });
  clock.seconds = 959;
  revocations.forgetExpired();
  expect([revocations.size, revocations.isSessionRevoked(SID), revocations.minTokenVersion(SID)]).toEqual([
    2,
    true,
    2,
  ]);
  clock.seconds = 960;
  revocations.forgetExpired();
  expect([revocations.size, revocations.isSessionRevoked(SID), revocations.minTokenVersion(SID)]).toEqual([
    0,
    false,
    0,
  ]);
});

it('an entry that is received again is kept from then on', () => {
  const { clock, revocations } = revocationsKept(100);
  revocations.add({ type: 'session-revoked', sid: SID });
  clock.seconds = 60;
  revocations.add({ type: 'session-revoked', sid: SID.toUpperCase() });
  clock.seconds = 120;
  revocations.forgetExpired();
  expect(revocations.isSessionRevoked(SID)).toBe(true);
});

it('a wall clock that is set forgets no entry', () => {
  const { clock, revocations } = revocationsKept(100);
  revocations.add({ type: 'session-revoked', sid: SID });
  clock.wall = 86_400_000;
  revocations.forgetExpired();
  expect(revocations.size).toBe(1);
});

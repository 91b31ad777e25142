import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import { SharedEntitlements } from './entitlements.shared.js';
import { StaticEntitlements, type EntitlementsFunction } from './entitlements.static.js';

const COMPANY = '5f0c3a52-3c2e-4a7e-9d0f-000000000001';
const OTHER = '5f0c3a52-3c2e-4a7e-9d0f-000000000002';

function counted(find: EntitlementsFunction, cacheTtl = 0) {
  const asked: string[] = [];
  const source = new StaticEntitlements(
    (companyId) => {
      asked.push(companyId);
      return find(companyId);
    },
    { timeout: 0.2 },
  );
  return { asked, shared: new SharedEntitlements(source, { cacheTtl }) };
}

const slowly = async () => {
  await sleep(10);
  return { modules: ['a'] };
};

describe('look-ups of one company', () => {
  it('overlapping look-ups of one company share one call, those of another company do not', async () => {
    const { asked, shared } = counted(slowly);
    await Promise.all([...Array<string>(20).fill(COMPANY), OTHER].map((id) => shared.fetch(id)));
    expect(asked).toEqual([COMPANY, OTHER]);
  });

  it('successive look-ups make a call each, unless answers are kept', async () => {
    const fresh = counted(slowly);
    await fresh.shared.fetch(COMPANY);
    await fresh.shared.fetch(COMPANY);
    expect(fresh.asked).toHaveLength(2);

    const kept = counted(slowly, 30);
    await kept.shared.fetch(COMPANY);
    await kept.shared.fetch(COMPANY);
    expect(kept.asked).toHaveLength(1);
  });

  it('overlapping look-ups share a failure, which is not kept', async () => {
    let isDown = true;
    const { asked, shared } = counted(async () => {
      await sleep(10);
      if (isDown) throw new Error('down');
      return { modules: ['a'] };
    }, 30);
    const answers = await Promise.allSettled([shared.fetch(COMPANY), shared.fetch(COMPANY)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect((await shared.fetch(COMPANY)).modules).toEqual(new Set(['a']));
    expect(asked).toHaveLength(2);
  });
});

describe('a function of the host app', () => {
  it('a function of the host app may answer synchronously', async () => {
    const { shared } = counted(() => ({ modules: ['b'], accessPolicyMode: 'SHADOW' }));
    expect(await shared.fetch(COMPANY)).toMatchObject({ accessPolicyMode: 'SHADOW' });
  });

  it.each<[string, EntitlementsFunction, string]>([
    ['knows no such company', () => undefined, 'forbidden'],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'service_unavailable',
    ],
    ['never answers', () => new Promise(() => undefined), 'service_unavailable'],
    ['answers nonsense', () => JSON.parse('{"modules":"x"}') as { modules: string[] }, 'service_unavailable'],
    [
      'has its own reason',
      () => {
        throw AuthError.forbidden('Not yet paid.');
      },
      'forbidden',
    ],
  ])('a function of the host app that %s fails with %s', async (_what, find, code) => {
    await expect(counted(find).shared.fetch(COMPANY)).rejects.toMatchObject({ name: 'AuthError', code });
  });
});

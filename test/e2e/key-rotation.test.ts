import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it } from 'vitest';
import { takeApart } from '../support/forged-token.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';
import type { TestUser } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const old = testKeys;
const next = otherTestKeys;

/** A replica; all of them appear as one service. */
const replica = (signing: string, further: string, first?: TestService) =>
  serviceForThisTest({
    env: {
      AUTH_BASE_URL: 'https://auth.example.com',
      JWT_SIGNING_KEY_PEM: signing,
      JWT_VERIFICATION_KEYS_PEM: further,
    },
    ...(first && { databaseUrl: first.databaseUrl }),
  });

const keySet = async (service: TestService) =>
  (await service.api('GET', '/.well-known/jwks.json')).body as JSONWebKeySet;
const keyIds = async (service: TestService) => (await keySet(service)).keys.map(({ kid }) => kid);
const me = (service: TestService, token: string) => service.api('GET', '/auth/me', { token });
const refresh = (service: TestService, refreshToken: string) =>
  service.api('POST', '/auth/refresh', { body: { refreshToken } });

/** A user who never stops using the service, on the replicas that take traffic at the moment. */
class Traffic {
  readonly statuses: number[] = [];
  #pair: { accessToken: string; refreshToken: string };
  #running = true;
  readonly #done: Promise<void>;

  constructor(user: TestUser & { accessToken: string; refreshToken: string }, replicas: TestService[]) {
    this.#pair = user;
    this.#done = this.#run(replicas);
  }

  /** Waits until that many more answers have arrived. */
  goesOnFor(answers: number): Promise<unknown> {
    const enough = this.statuses.length + answers;
    return waitUntil(() => this.statuses.length >= enough, { what: `${answers} more answers` });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#done;
  }

  async #run(replicas: TestService[]): Promise<void> {
    let turn = 0;
    while (this.#running) {
      turn += 1;
      const service = replicas[turn % replicas.length]!;
      const isRefresh = turn % 5 === 4;
      const answer = isRefresh
        ? await refresh(service, this.#pair.refreshToken)
        : await me(service, this.#pair.accessToken);
      if (isRefresh && answer.status === 200) this.#pair = answer.data;
      this.statuses.push(answer.status);
    }
  }
}

describe('a signing key', () => {
  it('a signing key is replaced under traffic without one refusal', async () => {
    const before = await replica(old().privateKeyPem, next().publicKeyPem);
    const replicas = [before];
    const people = await Promise.all([before.signedIn(), before.signedIn(), before.signedIn()]);
    const traffic = people.map((person) => new Traffic(person, replicas));

    const after = await replica(next().privateKeyPem, old().privateKeyPem, before);
    replicas.push(after);
    await Promise.all(traffic.map((one) => one.goesOnFor(10)));
    replicas.shift();
    await Promise.all(traffic.map((one) => one.goesOnFor(10)));
    await Promise.all(traffic.map((one) => one.stop()));

    const statuses = traffic.flatMap((one) => one.statuses);
    expect(statuses.length).toBeGreaterThan(20);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('a signing key is published beside the other one on both sides of the change, the signing one first', async () => {
    const before = await replica(old().privateKeyPem, next().publicKeyPem);
    const after = await replica(next().privateKeyPem, old().publicKeyPem, before);
    const [oldId, nextId] = [before.auth.keys.signingKeyId, after.auth.keys.signingKeyId];
    expect(await keyIds(before)).toEqual([oldId, nextId]);
    expect(await keyIds(after)).toEqual([nextId, oldId]);

    const fromOld = await before.signedIn();
    const fromNew = await after.signedIn();
    expect(takeApart(fromOld.accessToken).header.kid).toBe(oldId);
    expect(takeApart(fromNew.accessToken).header.kid).toBe(nextId);
    for (const service of [before, after]) {
      for (const { accessToken } of [fromOld, fromNew]) {
        expect((await me(service, accessToken)).status).toBe(200);
        const verified = await jwtVerify(accessToken, createLocalJWKSet(await keySet(service)));
        expect(verified.payload.iss).toBe('https://auth.example.com');
      }
    }
  });

  it('a signing key opens nothing any more once it is removed, while the sessions of its time go on', async () => {
    const before = await replica(old().privateKeyPem, '');
    const user = await before.signedIn();
    const after = await replica(next().privateKeyPem, '', before);
    expect(await keyIds(after)).toEqual([after.auth.keys.signingKeyId]);
    expect(await me(after, user.accessToken)).toMatchObject({ status: 401, code: 'unauthorized' });
    const refreshed = await refresh(after, user.refreshToken);
    expect(refreshed.status).toBe(200);
    expect((await me(after, refreshed.data.accessToken)).status).toBe(200);
    expect((await refresh(after, refreshed.data.refreshToken)).status).toBe(200);
  });
});

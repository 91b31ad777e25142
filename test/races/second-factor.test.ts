import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { challengeOf, enrolledUser, type Enrolled } from '../support/authenticator-app.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import { FACTOR_KEY } from '../support/service.js';

/** More rounds show more: `SECOND_FACTOR_ROUNDS=500 npx vitest run test/races/second-factor.test.ts`. */
const ROUNDS = Number(process.env.SECOND_FACTOR_ROUNDS ?? '5');
const BURST_SIZE = 50;
const CHALLENGES = 10;

// A round takes about half a second; a machine that does other work beside may take ten times as long.
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 5_000 });

describeWithRedis('a second factor, used many times at once on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await Replicas.start({ FACTOR_ENCRYPTION_KEYS: FACTOR_KEY }, { cheapPasswords: true });
    await replicas.warmUp(BURST_SIZE / 2);
  });
  afterAll(() => replicas.stop());

  const people = {
    api: (method: string, path: string, options?: ApiOptions) => replicas.turn(0).call(method, path, options),
    createUser: () => replicas.createUser(),
    signIn: async ({ email, password }: Pick<Enrolled, 'email' | 'password'>) =>
      (await people.api('POST', '/auth/login', { body: { email, password } })).data,
  };

  const burst = (bodyOf: (request: number) => object): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: BURST_SIZE }, (_, request) =>
        replicas.turn(request).send('POST', '/auth/login/second-factor', { body: bodyOf(request) }),
      ),
    );

  const challenges = async (user: Enrolled): Promise<string[]> => {
    const all: string[] = [];
    for (let n = 0; n < CHALLENGES; n += 1) all.push((await challengeOf(people, user)).challenge);
    return all;
  };

  /**
   * One answer has tokens, and the user has one more session than before: that of the enrolment. The others are refused; on a starved
   * machine some wait for the user's row longer than a statement may.
   */
  async function expectOneSession(user: Enrolled, answers: readonly Answer[]): Promise<void> {
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 401, 429, 503].includes(status))).toEqual([]);
    expect(
      await replicas.sql("SELECT acr FROM sessions WHERE user_id = $1 AND acr = 'aal2'", [user.id]),
    ).toEqual([{ acr: 'aal2' }]);
  }

  it('one code creates one session, whichever challenges it answers', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await enrolledUser(people);
      const all = await challenges(user);
      const code = user.app.next();
      const answers = await burst((request) => ({ challenge: all[request % CHALLENGES], code }));
      await expectOneSession(user, answers);
    }
  });

  it('one recovery code creates one session, whichever challenges it answers', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await enrolledUser(people);
      const all = await challenges(user);
      const [recoveryCode] = user.recoveryCodes;
      const answers = await burst((request) => ({ challenge: all[request % CHALLENGES], recoveryCode }));
      await expectOneSession(user, answers);
    }
  });

  it('one challenge creates one session, whatever answers it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await enrolledUser(people);
      const { challenge } = await challengeOf(people, user);
      const code = user.app.next();
      const answers = await burst((request) => {
        const recoveryCode = user.recoveryCodes[request % user.recoveryCodes.length];
        return request % 2 === 0 ? { challenge, code } : { challenge, recoveryCode };
      });
      await expectOneSession(user, answers);
    }
  });

  it('simultaneous wrong codes never exceed five on a challenge, and the right one comes too late then', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await enrolledUser(people);
      const { challenge } = await challengeOf(people, user);
      const code = user.app.wrong();
      await burst(() => ({ challenge, code }));
      const counts = await replicas.sql(
        'SELECT attempts, wrong_codes FROM second_factor_challenges WHERE user_id = $1',
        [user.id],
      );
      expect(counts).toEqual([{ attempts: 5, wrong_codes: 5 }]);
      const late = await burst(() => ({ challenge, code: user.app.codeAt(0) }));
      expect(late.every(({ status }) => status === 401)).toBe(true);
    }
  });
});

// Other files run in the same process.
vi.resetConfig();

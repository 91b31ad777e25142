import { expect, it } from 'vitest';
import { answerChallenge, challengeOf, enrolledUser, signInWithCode } from '../support/authenticator-app.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest } from '../support/service.js';

describeWithRedis('second factors without Redis', () => {
  it('enrolment, codes, recovery codes and their limits work while Redis is unavailable', async () => {
    const service = await serviceForThisTest({ redis: true });
    const before = await enrolledUser(service);
    const { challenge } = await challengeOf(service, before);
    await service.redis?.stop();
    expect((await answerChallenge(service, { challenge, code: before.app.next() })).status).toBe(200);
    const user = await enrolledUser(service);
    expect(await signInWithCode(service, user)).toHaveProperty('accessToken');
    const next = await challengeOf(service, user);
    for (let guess = 0; guess < 5; guess += 1) {
      const answer = await answerChallenge(service, { challenge: next.challenge, code: user.app.wrong() });
      expect(answer.status, answer.text).toBe(401);
    }
    const [recoveryCode = ''] = user.recoveryCodes;
    expect((await answerChallenge(service, { challenge: next.challenge, recoveryCode })).status).toBe(401);
    const last = await challengeOf(service, user);
    expect((await answerChallenge(service, { challenge: last.challenge, recoveryCode })).status).toBe(200);
  });
});

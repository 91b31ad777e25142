import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import type { Answer, AnswerData } from './api-client.js';
import type { TestService } from './service.js';

/** An authenticator app: shows codes of a secret, each once, as its owner types them. */
export class AuthenticatorApp {
  readonly #totp: TOTP;
  #steps = -1;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  /** The code of a step that is so many steps from now. */
  codeAt(steps: number): string {
    return this.#totp.generate({ timestamp: Date.now() + steps * 30_000 });
  }

  /**
   * The next code: three can be used in a row, because the service accepts a step of drift each way. Tests need no more,
   * and waiting for the next step takes half a minute.
   */
  next(): string {
    expect(this.#steps, 'this app has shown all codes that are valid now').toBeLessThan(2);
    const code = this.codeAt(this.#steps);
    this.#steps += 1;
    return code;
  }

  /** A code that is not valid now. */
  wrong(): string {
    const valid = [-2, -1, 0, 1, 2].map((steps) => this.codeAt(steps));
    return (
      ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !valid.includes(code)) ?? ''
    );
  }
}

/** A user with an authenticator app, and their recovery codes. */
export interface Enrolled {
  id: string;
  email: string;
  password: string;
  factorId: string;
  app: AuthenticatorApp;
  recoveryCodes: string[];
  /** Of the session that enrolled, which has one factor. */
  accessToken: string;
}

type Api = Pick<TestService, 'api'>;

const STEP_MS = 30_000;
/** Time for a request that starts at the end of a step, also on a loaded machine. */
const REQUEST_MS = 3_000;

/** Waits for the next step if this one is nearly over: a code of the step before would be refused when it arrives. */
async function notAtEndOfStep(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  // A timer may fire a millisecond early by the wall clock.
  if (left < REQUEST_MS) await sleep(left + 10);
}

/** Adds an authenticator app by the session of a token. */
export async function enrol(
  service: Api,
  token: string,
): Promise<Pick<Enrolled, 'factorId' | 'app' | 'recoveryCodes'>> {
  const begun = await service.api('POST', '/auth/factors/totp', { token, body: { name: 'Phone' } });
  expect(begun.status, begun.text).toBe(201);
  const { id, secret } = begun.data as unknown as { id: string; secret: string };
  const app = new AuthenticatorApp(secret);
  await notAtEndOfStep();
  const body = { code: app.next() };
  const confirmed = await service.api('POST', `/auth/factors/totp/${id}/confirm`, { token, body });
  expect(confirmed.status, confirmed.text).toBe(200);
  const { recoveryCodes = [] } = confirmed.data as unknown as { recoveryCodes?: string[] };
  return { factorId: id, app, recoveryCodes };
}

/** A new user who has set up an authenticator app. */
export async function enrolledUser(
  service: Pick<TestService, 'api' | 'createUser' | 'signIn'>,
  wanted?: Parameters<TestService['createUser']>[0],
): Promise<Enrolled> {
  const user = await service.createUser(wanted);
  const { accessToken } = await service.signIn(user);
  return { ...user, accessToken, ...(await enrol(service, accessToken)) };
}

/** Signs in with the password and returns the challenge. */
export async function challengeOf(
  service: Pick<TestService, 'api'>,
  { email, password }: Pick<Enrolled, 'email' | 'password'>,
) {
  const answer = await service.api('POST', '/auth/login', { body: { email, password } });
  expect(answer.status, answer.text).toBe(200);
  const { secondFactor } = answer.data as unknown as {
    secondFactor: { challenge: string; methods: string[]; expiresIn: number; enrol?: boolean };
  };
  expect(secondFactor, answer.text).toBeDefined();
  return secondFactor;
}

/** Answers a challenge. */
export const answerChallenge = (
  service: Pick<TestService, 'client'>,
  body: { challenge: string; code?: string; recoveryCode?: string },
): Promise<Answer> => service.client.send('POST', '/auth/login/second-factor', { body });

/** Signs in with the password and a code of the app. */
export async function signInWithCode(service: TestService, user: Enrolled): Promise<AnswerData> {
  const { challenge } = await challengeOf(service, user);
  const answer = await answerChallenge(service, { challenge, code: user.app.next() });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

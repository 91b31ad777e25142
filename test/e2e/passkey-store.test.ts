import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeApart } from '../support/forged-token.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import {
  PASSKEY_ENV,
  passkeysOf,
  registerPasskey,
  registrationOptions,
  REGISTRATION_REFUSED,
  signInOptions,
  SIGN_IN_REFUSED,
  verifyRegistration,
  verifySignIn,
} from '../support/passkey-client.js';
import { RedisSnapshot } from '../support/redis-snapshot.js';
import { describeWithRedis } from '../support/redis.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor, stepUp, stepUpAssertion } from '../support/step-up-client.js';

/** With a constant counter a second use looks like the first: something else must refuse it. */
const uncounted = { signCount: 0 };

describeWithRedis('a store of ceremonies that an attacker controls', () => {
  let service: TestService;
  let ada: SignedInTestUser;
  let authenticator: SoftwareAuthenticator;

  beforeAll(async () => {
    service = await startTestService({ redis: true, env: PASSKEY_ENV });
    ada = await provedByFactor(service, await signedInUser(service));
    authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(service, ada, authenticator)).status).toBe(201);
  });
  afterAll(() => service.stop());

  const snapshot = (purpose: 'login' | 'registration' | 'step-up') =>
    RedisSnapshot.take(service, `*passkey:${purpose}:*`);

  it('a store restored from before a sign-in, cannot spend its assertion again', async () => {
    const options = await signInOptions(service);
    const response = await authenticator.authenticate(options, uncounted);
    const store = await snapshot('login');
    expect((await verifySignIn(service, response)).status).toBe(200);
    await store.restore();

    expect(await verifySignIn(service, response)).toMatchObject(SIGN_IN_REFUSED);
  });

  it('a store restored from before a sign-in, cannot spend its challenge on another assertion', async () => {
    const options = await signInOptions(service);
    const first = await authenticator.authenticate(options, uncounted);
    const second = await authenticator.authenticate(options, uncounted);
    const store = await snapshot('login');
    expect((await verifySignIn(service, first)).status).toBe(200);
    await store.restore();

    expect(await verifySignIn(service, second)).toMatchObject(SIGN_IN_REFUSED);
  });

  it('a store restored from before two sign-ins of one assertion at once, opens one session', async () => {
    const options = await signInOptions(service);
    const response = await authenticator.authenticate(options, uncounted);
    const store = await snapshot('login');
    const first = verifySignIn(service, response);
    await store.restore();
    const statuses = (await Promise.all([first, verifySignIn(service, response)])).map(
      ({ status }) => status,
    );

    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('a store restored from before a step-up, raises no session again', async () => {
    const credential = await stepUpAssertion(service, ada.token, authenticator, uncounted);
    const store = await snapshot('step-up');
    expect((await stepUp(service, ada.token, { credential })).status).toBe(200);
    const row = () => service.sql('SELECT auth_time, amr, step_up_ceremony_at FROM sessions');
    const before = await row();
    await store.restore();

    expect(await stepUp(service, ada.token, { credential })).toMatchObject(SIGN_IN_REFUSED);
    expect(await row()).toEqual(before);
  });

  it('a store restored from before two step-ups, raises no session by the first of them', async () => {
    const [first, second] = [
      await stepUpAssertion(service, ada.token, authenticator, uncounted),
      await stepUpAssertion(service, ada.token, authenticator, uncounted),
    ];
    const store = await snapshot('step-up');
    expect((await stepUp(service, ada.token, { credential: first })).status).toBe(200);
    expect((await stepUp(service, ada.token, { credential: second })).status).toBe(200);
    await store.restore();

    expect(await stepUp(service, ada.token, { credential: first })).toMatchObject(SIGN_IN_REFUSED);
    expect(await stepUp(service, ada.token, { credential: second })).toMatchObject(SIGN_IN_REFUSED);
  });

  it('a store with one state under the key of another challenge starts no ceremony', async () => {
    const [own, wanted] = [await signInOptions(service), await signInOptions(service)];
    const store = await snapshot('login');
    const response = await authenticator.authenticate(wanted, uncounted);
    await verifySignIn(service, { ...response, rawId: '' });
    const [live = ''] = (await snapshot('login')).values.values();
    await store.restore(() => live);

    expect(await verifySignIn(service, response)).toMatchObject(SIGN_IN_REFUSED);
    const right = await authenticator.authenticate(own, uncounted);
    expect((await verifySignIn(service, right)).status).toBe(200);
  });

  it('a store with the state of a sign-in for a registration starts no registration', async () => {
    const options = await registrationOptions(service, ada);
    const response = await new SoftwareAuthenticator().register(options);
    const registration = await snapshot('registration');
    await signInOptions(service);
    const [signIn = ''] = (await snapshot('login')).values.values();
    await registration.restore(() => signIn);

    expect(await verifyRegistration(service, ada, response)).toMatchObject(REGISTRATION_REFUSED);
  });

  it("a store with another user's ids in a state starts nothing for that user", async () => {
    const eve = await signedInUser(service);
    const options = await registrationOptions(service, eve);
    const response = await new SoftwareAuthenticator().register(options);
    const store = await snapshot('registration');
    const before = await passkeysOf(service, ada);
    expect([...store.values.values()].join()).toContain(sessionOf(eve));
    await store.restore((state) =>
      state.replaceAll(eve.id, ada.id).replaceAll(sessionOf(eve), sessionOf(ada)),
    );

    expect(await verifyRegistration(service, ada, response)).toMatchObject(REGISTRATION_REFUSED);
    expect(await passkeysOf(service, ada)).toEqual(before);
  });

  it('the store gets states that last five minutes', async () => {
    await signInOptions(service);
    const [state = ''] = (await snapshot('login')).values.values();
    const left = Number(/"expiresAt":(\d+)/.exec(state)?.[1]) - Date.now();

    expect(left).toBeGreaterThan(240_000);
    expect(left).toBeLessThanOrEqual(300_000);
  });

  it('the store cannot make a state last longer, or create one', async () => {
    const [first, second] = [await signInOptions(service), await signInOptions(service)];
    const store = await snapshot('login');
    expect([...store.values.values()].join()).toMatch(/"expiresAt":\d/);
    await store.restore((state) => state.replace(/"expiresAt":\d/, '"expiresAt":9'));
    const late = await authenticator.authenticate(first, uncounted);
    expect(await verifySignIn(service, late)).toMatchObject(SIGN_IN_REFUSED);

    await store.restore(() => '{"starter":null}');
    const forged = await authenticator.authenticate(second, uncounted);
    expect(await verifySignIn(service, forged)).toMatchObject(SIGN_IN_REFUSED);
  });

  const sessionOf = ({ token }: SignedInTestUser): string => String(takeApart(token).claims.sid);
});

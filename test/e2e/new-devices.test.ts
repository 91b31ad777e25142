import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SignInDeviceRepository } from '../../packages/core/src/sign-in-devices/sign-in-device-repository.js';
import { Database } from '../../packages/core/src/storage/database.js';
import type { Answer } from '../support/api-client.js';
import { ACCESS, CookieBrowser, cookiesSetBy, DEVICE, REFRESH } from '../support/cookie-browser.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { handOff } from '../support/hand-off.js';
import { mintTokens } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

const SUBJECT = 'New sign-in to your Latchkey account';
const LAPTOP = { name: 'Laptop of Ada', address: '203.0.113.7' };
const PHONE = { name: 'Phone of Ada', address: '203.0.113.7' };
const THIEF = { name: 'Device of a thief', address: '198.51.100.66' };
const ENV = { TRUST_PROXY: '1', AUTH_WEB_COOKIE_MODE: 'true' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: ENV });
});
afterAll(() => service.stop());

interface Device {
  name: string;
  address: string;
}

type Person = Pick<TestUser, 'id' | 'email'>;

async function signInFrom({ name, address }: Device, { email }: Person, at = service): Promise<Answer> {
  const headers = { 'x-device-name': name, 'x-forwarded-for': address };
  const answer = await at.api('POST', '/auth/login', { body: { email, password: PASSWORD }, headers });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

/** The notices in the outbox: it holds those that were sent, too. */
const noticesTo = ({ email }: Person, at = service) =>
  at.sql(
    `SELECT payload->>'device' AS device, payload->>'ipAddress' AS address, payload->>'fullName' AS name,
       (SELECT jsonb_agg(other->>'device') FROM jsonb_array_elements(payload->'others') other) AS others
     FROM mail_outbox WHERE kind = 'new_device' AND recipient = $1 ORDER BY created_at, id`,
    [email],
  );

const devicesOf = async ({ id }: Person, at = service) => {
  const [row] = await at.sql('SELECT count(*)::int AS count FROM sign_in_devices WHERE user_id = $1', [id]);
  return row?.count;
};

const devicesIn = ({ databaseUrl }: TestService): SignInDeviceRepository => {
  const database = new Database({ url: databaseUrl, poolMax: 2, preparedStatements: true });
  onTestFinished(() => database.close());
  return new SignInDeviceRepository(database);
};

/** Makes the user one whose last notice was sent that many hours ago. */
const agedNotice = ({ id }: Person, hours: number) =>
  service.sql(
    'UPDATE users SET device_notice_from = device_notice_from - make_interval(hours => $2) WHERE id = $1',
    [id, hours],
  );

async function signInWithBrowser(browser: CookieBrowser, { email }: Person): Promise<Answer> {
  const answer = await browser.api('POST', '/auth/login', { body: { email, password: PASSWORD } });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

describe('the notice of a sign-in from a new device', () => {
  it('the first sign-in of an account is not mailed, one from another device is', async () => {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    await signInFrom(LAPTOP, user);
    expect(await noticesTo(user)).toEqual([]);
    await signInFrom(PHONE, user);
    const { subject, text } = await service.mailTo(user.email);
    expect(subject).toBe(SUBJECT);
    expect(text).toContain('Phone of Ada');
    expect(text).toContain('203.0.113.7');
    expect(text).toContain('Hello Ada Lovelace');
  });

  it('a device is known by its name and network together', async () => {
    const user = await service.createUser();
    const home = { name: 'Laptop', address: '2001:db8:1:2::10' };
    for (const device of [home, home, { ...home, address: '2001:db8:1:2:ffff::11' }])
      await signInFrom(device, user);
    expect(await noticesTo(user)).toEqual([]);
    await signInFrom({ ...home, address: '2001:db8:1:3::10' }, user);
    expect(await noticesTo(user)).toMatchObject([{ device: 'Laptop', address: '2001:db8:1:3::10' }]);
  });

  it('at most one notice is sent a day', async () => {
    const user = await service.createUser();
    const devices = ['One', 'Two', 'Three', 'Four', 'Five'].map((name) => ({ ...LAPTOP, name }));
    for (const device of devices.slice(0, 3)) await signInFrom(device, user);
    await agedNotice(user, 23);
    await signInFrom({ ...LAPTOP, name: 'Four' }, user);
    expect(await noticesTo(user)).toMatchObject([{ device: 'Two' }]);
    await agedNotice(user, 1);
    await signInFrom({ ...LAPTOP, name: 'Five' }, user);
    expect(await noticesTo(user)).toMatchObject([
      { device: 'Two', others: null },
      { device: 'Five', others: ['Three', 'Four'] },
    ]);
  });

  it('of sign-ins from ten new devices at once, one is mailed', async () => {
    const user = await service.createUser();
    await signInFrom(LAPTOP, user);
    const devices = Array.from({ length: 10 }, (_, n) => ({ ...LAPTOP, name: `Device ${n}` }));
    await Promise.all(devices.map((device) => signInFrom(device, user)));
    expect(await noticesTo(user)).toHaveLength(1);
    expect(await devicesOf(user)).toBe(11);
  });

  it('a refused sign-in records no device', async () => {
    const user = await service.createUser({ active: false });
    const headers = { 'x-device-name': 'Laptop' };
    const body = { email: user.email, password: PASSWORD };
    expect((await service.api('POST', '/auth/login', { body, headers })).status).toBe(403);
    expect(await devicesOf(user)).toBe(0);
  });

  it('fifty devices are kept; the one not used for the longest time is forgotten', async () => {
    const user = await service.createUser();
    await signInFrom(LAPTOP, user);
    await service.sql(
      `INSERT INTO sign_in_devices (user_id, device_digest, last_used_at)
       SELECT $1, sha256(n::text::bytea), now() - make_interval(days => n) FROM generate_series(1, 60) n`,
      [user.id],
    );
    await signInFrom(PHONE, user);
    expect(await devicesOf(user)).toBe(50);
    await signInFrom(LAPTOP, user);
    expect(await noticesTo(user)).toMatchObject([{ device: PHONE.name }]);
    expect(await devicesOf(user)).toBe(50);
  });

  it('a second factor comes before the notice', async () => {
    const user = await service.createUser();
    await signInFrom(LAPTOP, user);
    const factor = await enrolFactor(service.sql, user.id);
    const { challenge } = (await signInFrom(PHONE, user)).data.secondFactor as { challenge: string };
    expect(await noticesTo(user)).toEqual([]);
    const headers = { 'x-device-name': PHONE.name, 'x-forwarded-for': PHONE.address };
    const body = { challenge, code: factor.code() };
    expect((await service.api('POST', '/auth/login/second-factor', { body, headers })).status).toBe(200);
    expect(await noticesTo(user)).toMatchObject([{ device: PHONE.name }]);
  });

  it('a reset of the password forgets the devices, and the next sign-in is mailed', async () => {
    const user = await service.createUser();
    await signInFrom(LAPTOP, user);
    await service.auth.admin.passwords.set({ kind: 'operator', name: 'tests' }, user.id, {
      password: PASSWORD,
      removePasskeys: true,
    });
    expect(await devicesOf(user)).toBe(0);
    await signInFrom(LAPTOP, user);
    expect(await noticesTo(user)).toMatchObject([{ device: LAPTOP.name }]);
  });

  it('hand-offs and minted sessions are not sign-ins of a device', async () => {
    const user = await service.createUser({ role: 'PLATFORM_ADMIN' });
    const { data } = await signInFrom(LAPTOP, user);
    await handOff(service, data.accessToken);
    await mintTokens(service, user.id);
    expect(await noticesTo(user)).toEqual([]);
    expect(await devicesOf(user)).toBe(1);
  });

  it('nothing is recorded while notices are off, and no cookie is set', async () => {
    const off = await serviceForThisTest({ env: { ...ENV, SECURITY_NOTICES: 'off' } });
    const user = await off.createUser();
    for (const device of [LAPTOP, PHONE]) await signInFrom(device, user, off);
    expect(await noticesTo(user, off)).toEqual([]);
    expect(await devicesOf(user, off)).toBe(0);
    expect((await off.client.send('GET', '/login')).headers).not.toHaveProperty('set-cookie');
    const answer = await signInWithBrowser(new CookieBrowser(off), user);
    expect(Object.keys(cookiesSetBy(answer))).not.toContain(DEVICE);
  });
});

describe('a notice that the daily limit holds back', () => {
  /** A user who was mailed about one device today, while another one signed in. */
  async function userWithHeldBack(): Promise<TestUser> {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    for (const device of [LAPTOP, PHONE, THIEF]) await signInFrom(device, user);
    expect(await noticesTo(user)).toMatchObject([{ device: PHONE.name }]);
    return user;
  }

  it('a device that signs in within a day of a notice is named in a mail after the day, and known from then on', async () => {
    const user = await userWithHeldBack();
    await signInFrom(THIEF, user);
    await agedNotice(user, 24);
    await signInFrom(THIEF, user);
    expect(await noticesTo(user)).toMatchObject([
      { device: PHONE.name },
      { device: THIEF.name, address: THIEF.address, others: null },
    ]);
    await agedNotice(user, 24);
    for (const device of [THIEF, PHONE, LAPTOP]) await signInFrom(device, user);
    expect(await noticesTo(user)).toHaveLength(2);
  });

  it('a sign-in from a known device after the day sends one mail that names all of them', async () => {
    const user = await userWithHeldBack();
    await signInFrom({ name: 'Second', address: '198.51.100.7' }, user);
    await agedNotice(user, 24);
    await Promise.all([LAPTOP, LAPTOP, PHONE].map((device) => signInFrom(device, user)));
    expect(await noticesTo(user)).toMatchObject([
      { device: PHONE.name },
      { device: THIEF.name, others: ['Second'] },
    ]);
    const { subject, text } = await service.mailTo(user.email, 2);
    expect(subject).toBe(SUBJECT);
    for (const fact of [THIEF.name, THIEF.address, 'Second', '198.51.100.7']) expect(text).toContain(fact);
  });

  it('a reset of the password does not lose it', async () => {
    const user = await userWithHeldBack();
    await service.auth.admin.passwords.set({ kind: 'operator', name: 'tests' }, user.id, {
      password: PASSWORD,
      removePasskeys: true,
    });
    await agedNotice(user, 24);
    await signInFrom(LAPTOP, user);
    expect(await noticesTo(user)).toMatchObject([
      { device: PHONE.name },
      { device: LAPTOP.name, others: [THIEF.name] },
    ]);
  });

  it('it is mailed after the day also without a sign-in, once', async () => {
    const user = await userWithHeldBack();
    const devices = devicesIn(service);
    await devices.noticeHeldBack(100);
    expect(await noticesTo(user)).toHaveLength(1);
    await agedNotice(user, 24);
    await Promise.all([devices.noticeHeldBack(100), devices.noticeHeldBack(100)]);
    expect(await noticesTo(user)).toMatchObject([
      { device: PHONE.name },
      { device: THIEF.name, address: THIEF.address, name: 'Ada Lovelace' },
    ]);
    await signInFrom(THIEF, user);
    expect(await noticesTo(user)).toHaveLength(2);
  });

  it('an erasure removes it', async () => {
    const user = await userWithHeldBack();
    await service.auth.admin.erasure.erase({ kind: 'operator', name: 'tests' }, user.id, 'asked');
    expect(await devicesOf(user)).toBe(0);
  });
});

describe('the cookie of a device', () => {
  it('a browser in cookie mode gets it with its first sign-in, and is known in every network', async () => {
    const user = await service.createUser();
    const browser = new CookieBrowser(service);
    const { [DEVICE]: cookie } = cookiesSetBy(await signInWithBrowser(browser, user));
    expect(cookie?.value).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(cookie?.attributes).toEqual(['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax', 'Secure']);
    const headers = { 'x-forwarded-for': '198.51.100.9', 'x-device-name': 'Another name' };
    const body = { email: user.email, password: PASSWORD };
    const again = await browser.api('POST', '/auth/login', { body, headers });
    expect(cookiesSetBy(again)[DEVICE]?.value).toBe(cookie?.value);
    expect(await noticesTo(user)).toEqual([]);
    await signInWithBrowser(new CookieBrowser(service), user);
    expect(await noticesTo(user)).toHaveLength(1);
  });

  it('a sign-out keeps it', async () => {
    const user = await service.createUser();
    const browser = new CookieBrowser(service);
    await signInWithBrowser(browser, user);
    await browser.api('POST', '/auth/logout', { body: {} });
    expect([...browser.jar.keys()]).toEqual([DEVICE]);
  });

  it('refreshing does not set it', async () => {
    const user = await service.createUser();
    const browser = new CookieBrowser(service);
    await signInWithBrowser(browser, user);
    const answer = await browser.api('POST', '/auth/refresh', { body: {} });
    expect(Object.keys(cookiesSetBy(answer)).sort()).toEqual([ACCESS, REFRESH, 'lk_state'].sort());
  });

  it.each([
    ['has another id', (value: string) => value.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    ['has another signature', (value: string) => value.replace(/\..*/, `.${'A'.repeat(43)}`)],
    ['has no signature', (value: string) => value.replace(/\..*/, '')],
  ])('a cookie that %s is that of a new device', async (_case, forge) => {
    const user = await service.createUser();
    const browser = new CookieBrowser(service);
    await signInWithBrowser(browser, user);
    const forged = forge(browser.jar.get(DEVICE) ?? '');
    browser.jar.set(DEVICE, forged);
    await signInWithBrowser(browser, user);
    expect(await noticesTo(user)).toHaveLength(1);
    expect(browser.jar.get(DEVICE)).not.toBe(forged);
  });

  it('the pages with a sign-in set it when they are opened, other pages and clients get none', async () => {
    const user = await service.createUser();
    const opened = await service.client.send('GET', '/login');
    const { [DEVICE]: cookie } = cookiesSetBy(opened);
    const again = await service.client.send('GET', '/login', {
      headers: { cookie: `${DEVICE}=${cookie?.value ?? ''}` },
    });
    expect(again.headers).not.toHaveProperty('set-cookie');
    expect(cookiesSetBy(await service.client.send('GET', '/accept-invitation'))).toHaveProperty([DEVICE]);
    expect((await service.client.send('GET', '/reset-password')).headers).not.toHaveProperty('set-cookie');
    expect((await signInFrom(LAPTOP, user)).headers).not.toHaveProperty('set-cookie');
  });
});

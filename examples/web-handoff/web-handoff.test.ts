import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  INTERNAL_KEY,
  serviceForThisTest,
  startTestService,
  type TestService,
} from '../../test/support/service.js';
import { LatchkeyApi } from '../operator-scripts/latchkey-api.js';
import { BrowserStandIn, type Visit } from './browser-stand-in.js';
import { makeDemoPerson, type DemoPerson } from './demo-person.js';
import { DesktopClient } from './desktop-client.js';
import { LatchkeyClient } from './latchkey-client.js';
import { webApp } from './web-app.js';

let service: TestService;
let server: Server;
let webUrl: string;
let person: DemoPerson;
let desktop: DesktopClient;

const urlOf = (of: Server): string => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

async function startWebApp(latchkeyUrl: string): Promise<Server> {
  const app = createServer(webApp(new LatchkeyClient(latchkeyUrl), { secure: false }));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  return app;
}

async function signedInDesktop(at: TestService, who: DemoPerson): Promise<DesktopClient> {
  const client = new DesktopClient(new LatchkeyClient(at.url), `${webUrl}/landing`);
  await client.signIn(who.email, who.password);
  return client;
}

/** Opens an address and follows where it leads. */
async function arrive(browser: BrowserStandIn, address: string): Promise<Visit> {
  const { location } = await browser.open(address);
  return browser.open(location ?? 'nowhere');
}

beforeAll(async () => {
  service = await startTestService();
  server = await startWebApp(service.url);
  webUrl = urlOf(server);
  person = await makeDemoPerson(new LatchkeyApi(service.url, INTERNAL_KEY));
  desktop = await signedInDesktop(service, person);
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await service.stop();
});

describe('an address made by the desktop program', () => {
  it('holds a code and nothing else', async () => {
    const address = new URL(await desktop.webAddress(person.companyId));
    expect(`${address.origin}${address.pathname}`).toBe(`${webUrl}/landing`);
    expect([...address.searchParams.keys()]).toEqual(['code']);
    expect(address.searchParams.get('code')).toMatch(/^lkh_[\w-]{43}$/);
  });

  it('is not made for a company the person has no access to', async () => {
    await expect(desktop.webAddress(randomUUID())).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('signs the browser in and leaves its address bar without the code', async () => {
    const browser = new BrowserStandIn();
    const landed = await browser.open(await desktop.webAddress(person.companyId));
    expect(landed).toMatchObject({ status: 303, location: `${webUrl}/` });
    expect(landed.headers.get('referrer-policy')).toBe('no-referrer');
    expect(landed.headers.get('cache-control')).toBe('no-store');
    expect(landed.headers.getSetCookie().at(-1)).toMatch(
      /^web-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );

    const home = await browser.open(`${webUrl}/`);
    expect(home.status).toBe(200);
    expect(home.text).toContain(person.email);
    expect(home.text).toContain(person.companyId);
    expect(home.text).not.toContain('eyJ');
    expect([...browser.cookies.values()].join()).not.toContain('eyJ');
  });

  it('is good once, and says so kindly the second time', async () => {
    const address = await desktop.webAddress(person.companyId);
    await arrive(new BrowserStandIn(), address);

    const browser = new BrowserStandIn();
    const again = await browser.open(address);
    expect(again).toMatchObject({ status: 303, location: `${webUrl}/not-signed-in?why=used` });
    const refused = await browser.open(again.location ?? '');
    expect(refused.status).toBe(410);
    expect(refused.text).toContain('This link has been used');
    expect((await browser.open(webUrl)).text).toContain('Signed out');
  });

  it('is not spent by those who only look', async () => {
    const address = await desktop.webAddress(person.companyId);
    const browser = new BrowserStandIn();
    expect((await browser.open(address, { method: 'HEAD' })).status).toBe(204);
    expect((await browser.open(address, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    expect((await arrive(browser, address)).text).toContain(person.email);
  });

  it('is worth nothing after its time', async () => {
    const short = await serviceForThisTest({ env: { HANDOFF_TTL: '1' }, databaseUrl: service.databaseUrl });
    const address = await (await signedInDesktop(short, person)).webAddress(person.companyId);
    await sleep(1_100);
    const app = await startWebApp(short.url);
    const refused = await arrive(new BrowserStandIn(), address.replace(webUrl, urlOf(app)));
    app.close();
    expect(refused.status).toBe(410);
  });

  it('does not sign in somebody who was deactivated meanwhile', async () => {
    const latchkey = new LatchkeyApi(service.url, INTERNAL_KEY);
    const other = await makeDemoPerson(latchkey);
    const address = await (await signedInDesktop(service, other)).webAddress(other.companyId);
    const [user] = (await latchkey.page<{ id: string }>('/internal/admin/users', { search: other.email }))
      .items;
    await latchkey.machine('DELETE', `/internal/admin/users/${user?.id ?? ''}`);

    expect(await arrive(new BrowserStandIn(), address)).toMatchObject({ status: 403 });
  });

  it.each(['', '?code=', '?code=x', '?code=a&code=b', `?code=${'x'.repeat(300)}`])(
    'with a code like "%s" is refused like a used one',
    async (query) => {
      expect(await arrive(new BrowserStandIn(), `${webUrl}/landing${query}`)).toMatchObject({ status: 410 });
    },
  );
});

describe('the session in the web app', () => {
  async function signedInBrowser(): Promise<BrowserStandIn> {
    const browser = new BrowserStandIn();
    expect((await arrive(browser, await desktop.webAddress(person.companyId))).status).toBe(200);
    return browser;
  }

  it('goes on after its access token is outdated', async () => {
    const browser = await signedInBrowser();
    await service.sql('UPDATE users SET token_version = token_version + 1 WHERE email = $1', [person.email]);
    const homes = await Promise.all([1, 2, 3].map(() => browser.open(webUrl)));
    for (const { text } of homes) expect(text).toContain(person.email);
    desktop = await signedInDesktop(service, person);
  });

  it('ends when the person signs out, and the desktop stays signed in', async () => {
    const browser = await signedInBrowser();
    expect(await browser.open(`${webUrl}/sign-out`, { method: 'POST' })).toMatchObject({ status: 303 });
    expect(browser.cookies.size).toBe(0);
    expect((await browser.open(webUrl)).text).toContain('Signed out');
    expect(await desktop.webAddress(person.companyId)).toContain('code=lkh_');
  });

  it('ends when all sessions of the person are ended', async () => {
    const browser = await signedInBrowser();
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE NOT is_revoked');
    expect((await browser.open(webUrl)).text).toContain('Signed out');
    expect(browser.cookies.size).toBe(0);
    desktop = await signedInDesktop(service, person);
  });

  it('takes the place of the one that was there, which ends', async () => {
    const browser = await signedInBrowser();
    const former = new Map(browser.cookies);
    await arrive(browser, await desktop.webAddress(person.companyId));
    expect(browser.cookies).not.toEqual(former);

    const thief = new BrowserStandIn();
    for (const [name, value] of former) thief.cookies.set(name, value);
    expect((await thief.open(webUrl)).text).toContain('Signed out');
  });

  it('is not lost when Latchkey is away', async () => {
    const away = await startWebApp('http://127.0.0.1:1');
    const refused = await arrive(new BrowserStandIn(), `${urlOf(away)}/landing?code=lkh_x`);
    away.close();
    expect(refused.status).toBe(503);
  });
});

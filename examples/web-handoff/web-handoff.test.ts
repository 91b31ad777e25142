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
import { makeDemoPerson, type DemoPerson } from './demo-person.js';
import { DesktopClient } from './desktop-client.js';
import { LatchkeyClient } from './latchkey-client.js';
import { SimulatedBrowser, type PageLoad } from './simulated-browser.js';
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

/** Opens an address and follows its redirect. */
async function arrive(browser: SimulatedBrowser, address: string): Promise<PageLoad> {
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
  it('the address contains a code and nothing else', async () => {
    const address = new URL(await desktop.webAddress(person.companyId));
    expect(`${address.origin}${address.pathname}`).toBe(`${webUrl}/landing`);
    expect([...address.searchParams.keys()]).toEqual(['code']);
    expect(address.searchParams.get('code')).toMatch(/^lkh_[\w-]{43}$/);
  });

  it('no address is created for a company without access', async () => {
    await expect(desktop.webAddress(randomUUID())).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('the address signs the browser in, and its code leaves the address bar', async () => {
    const browser = new SimulatedBrowser();
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

  it('the address works once, and shows a message the second time', async () => {
    const address = await desktop.webAddress(person.companyId);
    await arrive(new SimulatedBrowser(), address);

    const browser = new SimulatedBrowser();
    const again = await browser.open(address);
    expect(again).toMatchObject({ status: 303, location: `${webUrl}/not-signed-in?why=used` });
    const refused = await browser.open(again.location ?? '');
    expect(refused.status).toBe(410);
    expect(refused.text).toContain('This link has been used');
    expect((await browser.open(webUrl)).text).toContain('Signed out');
  });

  it('prefetching does not spend the code', async () => {
    const address = await desktop.webAddress(person.companyId);
    const browser = new SimulatedBrowser();
    expect((await browser.open(address, { method: 'HEAD' })).status).toBe(204);
    expect((await browser.open(address, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    expect((await arrive(browser, address)).text).toContain(person.email);
  });

  it('an expired address is rejected', async () => {
    const short = await serviceForThisTest({ env: { HANDOFF_TTL: '1' }, databaseUrl: service.databaseUrl });
    const address = await (await signedInDesktop(short, person)).webAddress(person.companyId);
    await sleep(1_100);
    const app = await startWebApp(short.url);
    const refused = await arrive(new SimulatedBrowser(), address.replace(webUrl, urlOf(app)));
    app.close();
    expect(refused.status).toBe(410);
  });

  it('the address does not sign in a user who was deactivated after it was created', async () => {
    const latchkey = new LatchkeyApi(service.url, INTERNAL_KEY);
    const other = await makeDemoPerson(latchkey);
    const address = await (await signedInDesktop(service, other)).webAddress(other.companyId);
    const [user] = (await latchkey.page<{ id: string }>('/internal/admin/users', { search: other.email }))
      .items;
    await latchkey.machine('DELETE', `/internal/admin/users/${user?.id ?? ''}`);

    expect(await arrive(new SimulatedBrowser(), address)).toMatchObject({ status: 403 });
  });

  it.each(['', '?code=', '?code=x', '?code=a&code=b', `?code=${'x'.repeat(300)}`])(
    'with a code like "%s" is refused like a used one',
    async (query) => {
      expect(await arrive(new SimulatedBrowser(), `${webUrl}/landing${query}`)).toMatchObject({
        status: 410,
      });
    },
  );
});

describe('the session in the web app', () => {
  async function signedInBrowser(): Promise<SimulatedBrowser> {
    const browser = new SimulatedBrowser();
    expect((await arrive(browser, await desktop.webAddress(person.companyId))).status).toBe(200);
    return browser;
  }

  it('the web session continues when its access token is outdated', async () => {
    const browser = await signedInBrowser();
    await service.sql('UPDATE users SET token_version = token_version + 1 WHERE email = $1', [person.email]);
    const homes = await Promise.all([1, 2, 3].map(() => browser.open(webUrl)));
    for (const { text } of homes) expect(text).toContain(person.email);
    desktop = await signedInDesktop(service, person);
  });

  it('signing out ends the web session and keeps the desktop signed in', async () => {
    const browser = await signedInBrowser();
    expect(await browser.open(`${webUrl}/sign-out`, { method: 'POST' })).toMatchObject({ status: 303 });
    expect(browser.cookies.size).toBe(0);
    expect((await browser.open(webUrl)).text).toContain('Signed out');
    expect(await desktop.webAddress(person.companyId)).toContain('code=lkh_');
  });

  it('revoking all sessions of the user ends the web session', async () => {
    const browser = await signedInBrowser();
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE NOT is_revoked');
    expect((await browser.open(webUrl)).text).toContain('Signed out');
    expect(browser.cookies.size).toBe(0);
    desktop = await signedInDesktop(service, person);
  });

  it('a new web session replaces and ends the previous one', async () => {
    const browser = await signedInBrowser();
    const former = new Map(browser.cookies);
    await arrive(browser, await desktop.webAddress(person.companyId));
    expect(browser.cookies).not.toEqual(former);

    const thief = new SimulatedBrowser();
    for (const [name, value] of former) thief.cookies.set(name, value);
    expect((await thief.open(webUrl)).text).toContain('Signed out');
  });

  it('the web session survives an outage of Latchkey', async () => {
    const unreachable = await startWebApp('http://127.0.0.1:1');
    const refused = await arrive(new SimulatedBrowser(), `${urlOf(unreachable)}/landing?code=lkh_x`);
    unreachable.close();
    expect(refused.status).toBe(503);
  });
});

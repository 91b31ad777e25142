import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ApiError, LatchkeyApi } from '../operator-scripts/latchkey-api.js';
import { makeDemoPerson, type DemoPerson } from './demo-person.js';
import { DesktopClient } from './desktop-client.js';
import { LatchkeyClient } from './latchkey-client.js';
import { SimulatedBrowser, type PageLoad } from './simulated-browser.js';
import { webApp } from './web-app.js';

const latchkeyUrl = process.env.LATCHKEY_URL ?? 'http://localhost:3097';
const internalKey = process.env.AUTH_INTERNAL_API_KEY ?? 'machine-key-for-development';

const person = await makeDemoPerson(new LatchkeyApi(latchkeyUrl, internalKey)).catch(explain);
const latchkey = new LatchkeyClient(latchkeyUrl);
const server = webApp(latchkey, { secure: false }).listen(Number(process.env.WEB_PORT ?? 3101), '127.0.0.1');
await once(server, 'listening');
const webUrl = `http://localhost:${(server.address() as AddressInfo).port}`;

const desktop = new DesktopClient(latchkey, `${webUrl}/landing`);
await desktop.signIn(person.email, person.password);
console.log(`desktop   signed in as ${person.email}`);
await runStory(desktop, person);

console.log(`
Open this in your own browser within a minute; the second time it fails:

  ${await desktop.webAddress(person.companyId)}

Ctrl+C stops the web app.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}

async function runStory(from: DesktopClient, { companyId }: DemoPerson): Promise<void> {
  const address = await from.webAddress(companyId);
  console.log(`desktop   opens ${address}`);
  const browser = new SimulatedBrowser();
  const landed = await browser.open(address);
  console.log(`web app   spends the code: ${summary(landed)}, cookie ${[...browser.cookies.keys()].join()}`);
  const home = await browser.open(landed.location ?? webUrl);
  console.log(`browser   shows ${sentence(home)}`);

  const again = await new SimulatedBrowser().open(address);
  console.log(`attacker  opens the same address again: ${summary(again)}`);
  const refused = await browser.open(again.location ?? webUrl);
  console.log(`browser   shows ${sentence(refused)}`);
}

function summary({ status, location }: PageLoad): string {
  return `${status} to ${location ?? 'nowhere'}`;
}

function sentence({ status, text }: PageLoad): string {
  const [, paragraph = ''] = /<p>(.*?)<\/p>/s.exec(text) ?? [];
  return `${status} "${paragraph.replace(/<[^>]*>/g, '')}"`;
}

function explain(error: unknown): never {
  const reason = error instanceof ApiError ? error.message : `${latchkeyUrl} does not respond.`;
  console.error(`${reason}

The demo needs a running Latchkey and its machine key to create a user. Start one in another terminal:

  AUTH_INTERNAL_API_KEY=${internalKey} npm start`);
  process.exit(1);
}

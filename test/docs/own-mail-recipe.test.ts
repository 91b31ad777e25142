import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { MailRejectedError, type OwnMail } from '@latchkey/core';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { codeBlocks } from '../../tools/docs/code/page.js';
import { runExample } from '../support/docstrings/example-run.js';
import { waitUntil } from '../support/wait-until.js';

const text = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
const recipe =
  codeBlocks({ file: 'docs/embedding.md', text }).find(({ code }) => code.includes('MailRejectedError'))
    ?.code ?? '';

interface Received {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

let kit: TestAuth;
const received: Received[] = [];
/** What the provider responds. */
let status = 200;

/** The provider of the recipe, on this machine. */
const provider = createServer((request, response) => {
  void textOf(request).then((body) => {
    const { url: path, headers } = request;
    received.push({ path, headers, body: JSON.parse(body) as Received['body'] });
    response.writeHead(status).end('{"ErrorCode":0}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const createAuth = async (_settings: unknown, { mail }: { mail: OwnMail }) => {
    kit = await createTestAuth({ databaseUrl: inject('postgres').url, mail });
    kit.onClose(() => provider.close());
    return kit.auth;
  };
  await runExample(recipe, {
    createAuth,
    MailRejectedError,
    settings: {},
    layOut: (...parts: string[]) => parts.map((part) => `<p>${part}</p>`).join(''),
    fetch: (url: string, init: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, init),
  });
});
beforeEach(() => {
  received.length = 0;
  status = 200;
});
afterAll(() => kit.close());

const mailOf = async (to: string) => (await kit.auth.admin.mail.list({ to })).items[0];

async function reset(): Promise<string> {
  const { email } = await kit.user();
  await kit.auth.passwordReset.request({ email });
  return email;
}

it('the recipe for mails sends its own texts to the provider, with the id of the mail', async () => {
  const email = await reset();
  await waitUntil(async () => (await mailOf(email))?.state === 'sent', { what: 'the mail' });
  expect(received).toEqual([
    {
      path: '/email',
      headers: expect.objectContaining({ 'content-type': 'application/json' }) as object,
      body: {
        From: 'id@example.com',
        To: email,
        Subject: 'Choose a new password',
        TextBody: expect.stringMatching(/^http.*\/reset-password\?token=lkp_[\w-]+$/) as string,
        HtmlBody: expect.stringContaining('lkp_') as string,
        Metadata: { id: (await mailOf(email))?.id },
      },
    },
  ]);
});

it('the recipe for mails sends the texts of the service for other kinds', async () => {
  const email = await reset();
  await waitUntil(() => received.length > 0, { what: 'the link' });
  const token = /lkp_[\w-]+/.exec(String(received[0]?.body.TextBody))?.[0] ?? '';
  await kit.auth.passwordReset.confirm({ token, newPassword: 'another long walk home' });
  await waitUntil(() => received.length > 1, { what: 'the notice' });
  expect(received[1]?.body).toMatchObject({
    To: email,
    Subject: expect.stringContaining('password') as string,
  });
});

it.each([
  [422, 'failed', 'mail.send failed: Postmark refused: {"ErrorCode":0}'],
  [503, 'retrying', 'mail.send failed: Postmark responded with 503.'],
])('after a response %i of the provider the mail of the recipe is %s', async (code, state, lastError) => {
  status = code;
  const email = await reset();
  await waitUntil(async () => (await mailOf(email))?.state === state, { what: 'the attempt' });
  expect((await mailOf(email))?.lastError).toBe(lastError);
});

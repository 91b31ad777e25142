import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorClient } from '../support/operator-client.js';
import { FACTOR_KEY, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

interface Received {
  body: string;
  headers: Record<string, string>;
}

interface CreatedWebhook {
  webhook: { id: string; url: string };
  secret: string;
}

let service: TestService;
let operator: OperatorClient;
let receiver: Server;
let url: string;
let folder: string;
let status = 204;
const received: Received[] = [];

beforeAll(async () => {
  service = await startTestService();
  operator = new OperatorClient(service, { ENCRYPTION_KEYS: FACTOR_KEY, WEBHOOKS: 'all', APP_ENV: 'test' });
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  folder = await mkdtemp(path.join(tmpdir(), 'latchkey-webhooks-'));
});

afterAll(async () => {
  await service.stop();
  receiver.close();
  await rm(folder, { recursive: true });
});

const created = (...options: string[]): Promise<CreatedWebhook> =>
  operator.json(['webhooks', 'create', url, '--events', 'user.created', ...options]);

/** Sends a test and returns what arrives, by the id of its delivery. */
async function tested({ webhook: { id } }: CreatedWebhook): Promise<Received> {
  const { id: deliveryId } = await operator.json<{ id: string }>(['webhooks', 'test', id]);
  return waitUntil(() => received.find(({ headers }) => headers['webhook-id'] === deliveryId), {
    what: 'the test',
  });
}

const deliveries = (id: string, ...options: string[]) =>
  operator.json<{ id: string; status: string; lastStatus: number | null }[]>([
    'webhooks',
    'deliveries',
    id,
    ...options,
  ]);

describe('the commands about webhooks', () => {
  it('a webhook is created with a secret, listed, and tested, and the running service sends the test', async () => {
    const made = await created('--description', 'the CRM');
    expect(made.secret).toMatch(/^whsec_/);
    const listed = await operator.json<{ id: string }[]>(['webhooks', 'list']);
    expect(listed.find(({ id }) => id === made.webhook.id)).toMatchObject({ url, description: 'the CRM' });
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    const { body } = await tested(made);
    expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test' });
  });

  it('deliveries are listed by status, and one is sent again under its id', async () => {
    const made = await created();
    status = 500;
    const { headers } = await tested(made);
    const id = headers['webhook-id'] ?? '';
    await waitUntil(async () => (await deliveries(made.webhook.id))[0]?.lastStatus === 500, {
      what: 'the failure',
    });
    expect(await deliveries(made.webhook.id, '--status', 'SENT')).toEqual([]);
    expect((await deliveries(made.webhook.id, '--status', 'PENDING')).map((each) => each.id)).toEqual([id]);
    status = 204;
    await operator.json(['webhooks', 'retry', made.webhook.id, id]);
    await waitUntil(async () => (await deliveries(made.webhook.id, '--status', 'SENT')).length === 1, {
      what: 'the delivery',
    });
    expect(received.filter((each) => each.headers['webhook-id'] === id)).toHaveLength(2);
  });

  it('what happened in a time is sent again', async () => {
    const made = await created();
    const user = await service.machine('POST', '/internal/admin/users', {
      body: { email: 'replayed@example.com' },
    });
    const arrived = () =>
      received.filter(
        ({ body, headers }) => body.includes(user.data.id) && headers['webhook-id'] !== undefined,
      );
    await waitUntil(() => arrived().length > 0, { what: 'the message' });
    const idsOf = (messages: Received[]) => new Set(messages.map(({ headers }) => headers['webhook-id']));
    const before = arrived().length;
    const from = new Date(Date.now() - 60_000).toISOString();
    const { queued } = await operator.json<{ queued: number }>([
      'webhooks',
      'replay',
      made.webhook.id,
      '--from',
      from,
    ]);
    expect(queued).toBeGreaterThanOrEqual(1);
    await waitUntil(() => arrived().length > before && idsOf(arrived()).size < arrived().length, {
      what: 'the message again, under its id',
    });
  });

  it('a company has webhooks of its own', async () => {
    const companyId = '018f4e6e-0000-7000-8000-00000000000a';
    const args = ['webhooks', 'create', url, '--events', 'membership.created', '--company', companyId];
    const made = await operator.json<CreatedWebhook>(args);
    const ids = async (...options: string[]) =>
      (await operator.json<{ id: string }[]>(['webhooks', 'list', ...options])).map(({ id }) => id);
    expect(await ids('--company', companyId)).toEqual([made.webhook.id]);
    expect(await ids()).not.toContain(made.webhook.id);
    const foreign = await operator.run(['webhooks', 'test', made.webhook.id]);
    expect(foreign).toMatchObject({ code: 3, stdout: '' });
  });

  it('the signature of a message is verified from standard input', async () => {
    const made = await created();
    const { body, headers } = await tested(made);
    const file = path.join(folder, 'secret.txt');
    await writeFile(file, `${made.secret}\n`);
    const args = ['webhooks', 'verify', '--secret-file', file];
    const given = [
      ...['--id', headers['webhook-id'] ?? '', '--timestamp', headers['webhook-timestamp'] ?? ''],
      ...['--signature', headers['webhook-signature'] ?? ''],
    ];
    expect(await operator.run([...args, ...given], body)).toMatchObject({ code: 0 });
    expect(await operator.run([...args, ...given], `${body} `)).toMatchObject({ code: 1 });
    await writeFile(file, 'no secret');
    expect(await operator.run([...args, ...given], body)).toMatchObject({ code: 2 });
  });
});

const PAGE = fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url));

/** Returns the code of the page in a language. */
async function codeOf(language: string): Promise<string> {
  const text = await readFile(PAGE, 'utf8');
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
}

const isInstalled = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

describe('the receivers of the documentation', () => {
  const verdicts = async (run: (message: Received, secret: string) => string): Promise<string[]> => {
    const made = await created();
    const message = await tested(made);
    const another = await created();
    const old = String(Number(message.headers['webhook-timestamp']) - 301);
    const aged = { ...message.headers, 'webhook-timestamp': old };
    return [
      run(message, made.secret),
      run({ ...message, body: `${message.body} ` }, made.secret),
      run({ ...message, headers: aged }, made.secret),
      run(message, another.secret),
    ];
  };

  it.skipIf(!isInstalled('python3', '--version'))(
    'the receiver in Python accepts a real delivery, and no other body, time or secret',
    async () => {
      const program = `${await codeOf('python')}
import json, sys
given = json.load(sys.stdin)
print(verify(given["secret"], given["headers"], given["body"].encode()))
`;
      const run = ({ body, headers }: Received, secret: string): string => {
        const input = JSON.stringify({ secret, headers, body });
        const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
        expect(stderr).toBe('');
        return stdout.trim();
      };
      expect(await verdicts(run)).toEqual(['True', 'False', 'False', 'False']);
    },
  );

  it.skipIf(!isInstalled('go', 'version'))(
    'the receiver in Go accepts a real delivery, and no other body, time or secret',
    async () => {
      const module = path.join(folder, 'receiver');
      const code = (await codeOf('go')).replace('package receiver', 'package main');
      const main = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var given struct {
		Secret, Body string
		Headers      map[string]string
	}
	_ = json.NewDecoder(os.Stdin).Decode(&given)
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	fmt.Println(Verify(given.Secret, header, []byte(given.Body)))
}
`;
      await mkdir(module, { recursive: true });
      await writeFile(path.join(module, 'go.mod'), 'module receiver\n');
      await writeFile(path.join(module, 'receiver.go'), code);
      await writeFile(path.join(module, 'main.go'), main);
      expect(spawnSync('go', ['build', '-o', 'receiver', '.'], { cwd: module }).status).toBe(0);
      const run = ({ body, headers }: Received, secret: string): string => {
        const input = JSON.stringify({ secret, headers, body });
        return spawnSync(path.join(module, 'receiver'), { input, encoding: 'utf8' }).stdout.trim();
      };
      expect(await verdicts(run)).toEqual(['true', 'false', 'false', 'false']);
    },
  );
});

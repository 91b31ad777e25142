import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BINDING_NAMES, EveryBinding } from '../support/every-binding.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let bindings: EveryBinding;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  bindings = await EveryBinding.open(service);
});

afterAll(async () => {
  bindings.close();
  await service.stop();
});

interface Sent {
  path: string;
  /** Length of the body, bytes. */
  size: number;
  /** True announces no length. */
  isChunked?: boolean;
  type?: string;
}

const PART = Buffer.alloc(50_000, ' ');

/** Posts a body over the connection of the agent and returns the status of the response. */
function post(
  base: string,
  { path, size, isChunked = false, type = 'application/json' }: Sent,
  agent: Agent,
): Promise<number | undefined> {
  const headers = { 'content-type': type, ...(isChunked ? {} : { 'content-length': size }) };
  return new Promise((resolve, reject) => {
    const outgoing = request(base + path, { method: 'POST', agent, headers }, (incoming) => {
      incoming.on('error', reject).on('end', () => resolve(incoming.statusCode));
      incoming.resume();
    });
    outgoing.on('error', reject);
    for (let left = size; left > 0; left -= PART.length) outgoing.write(PART.subarray(0, left));
    outgoing.end();
  });
}

const SIGN_IN = '/auth/login';
/** A route whose body may be missing. */
const OPTIONS = '/auth/passkeys/login/options';
const LONG = 1_000_000;

describe.each(BINDING_NAMES)('on %s', (name) => {
  it.each<[string, Sent, number]>([
    ['too long', { path: SIGN_IN, size: LONG }, 413],
    ['too long, where it may be missing', { path: OPTIONS, size: LONG }, 413],
    ['too long, without an announced length', { path: SIGN_IN, size: LONG, isChunked: true }, 413],
    ['of another type', { path: SIGN_IN, size: 90_000, type: 'text/plain' }, 400],
    ['chunked and of another type', { path: SIGN_IN, size: LONG, isChunked: true, type: 'text/plain' }, 400],
    [
      'chunked and of another type, where it may be missing',
      { path: OPTIONS, size: LONG, isChunked: true, type: 'text/plain' },
      400,
    ],
    ['sent without credentials', { path: '/auth/password/change', size: LONG, isChunked: true }, 401],
    ['sent to no endpoint', { path: '/nowhere', size: LONG, isChunked: true }, 404],
  ])(
    'a body that is %s is refused, and its connection serves the next request',
    async (_what, sent, status) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const base = bindings.addresses.get(name) ?? '';
      for (let turn = 0; turn < 3; turn++) {
        expect(await post(base, sent, agent)).toBe(status);
        expect(await post(base, { path: SIGN_IN, size: 3 }, agent)).toBe(400);
      }
    },
  );
});

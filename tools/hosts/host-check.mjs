import assert from 'node:assert/strict';
import { plainEnvironment } from '../shared/environment.mjs';
import { freePort } from '../shared/free-port.mjs';
import { Service } from '../tour/service.mjs';
import { ANN, query } from './host-database.mjs';

/** The address of a client behind one proxy. */
const FORWARDED = '203.0.113.7';
const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (token) => ({ authorization: `Bearer ${token}` });

/** Expectations for a host that mounts Latchkey at its root and guards `GET /hello` and `POST /notes`. */
export const PLAIN_HOST = { mountPath: '', noteStatus: 200, settings: {} };

/** The two ways to reach a host: through a proxy that it trusts, and without one. */
const WAYS = [
  { settings: { TRUST_PROXY: '127.0.0.1' }, address: FORWARDED, check: assertAnswers },
  { settings: {}, address: '127.0.0.1', check: signIn },
];

/** Starts the host of a recipe and sends requests: signed in, anonymous, with a body. */
export async function assertHost(trial, host) {
  for (const way of WAYS) await assertReached(trial, host, way);
}

async function assertReached({ folder, env, plainUrl }, host, { settings, address, check }) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const service = new Service(host.command, folder, {
    ...plainEnvironment(env),
    ...host.settings,
    ...settings,
    AUTH_BASE_URL: base + host.mountPath,
    HOST: '127.0.0.1',
    PORT: String(port),
  });
  try {
    await service.untilHealthy(port, `${host.mountPath}/health`);
    await check(base, host, plainUrl);
    const sessions = 'SELECT ip_address AS address FROM latchkey.sessions ORDER BY created_at DESC';
    assert.equal((await query(plainUrl, sessions))[0]?.address, address);
  } catch (error) {
    throw new Error(`${error.message}\n--- the host ---\n${service.output.slice(-4000)}`, { cause: error });
  } finally {
    await service.stop();
  }
  assert.doesNotMatch(service.output, /unhandled|uncaught/i);
}

async function signIn(base, { mountPath }) {
  const { email, password } = ANN;
  const response = await fetch(`${base + mountPath}/auth/login`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ email, password }),
  });
  assert.equal(response.status, 200, await response.text());
}

async function assertAnswers(base, host, plainUrl) {
  await host.alsoCheck?.(base, plainUrl);
  const signInPath = `${host.mountPath}/auth/login`;
  const ask = async (path, { headers, json } = {}) => {
    const init =
      json === undefined
        ? { headers }
        : { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(json) };
    const response = await fetch(base + path, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const { email, fullName, password } = ANN;

  const proxied = { 'x-forwarded-for': FORWARDED };
  const signedIn = await ask(signInPath, { headers: proxied, json: { email, password } });
  assert.equal(signedIn.status, 200, signedIn.body);
  const ann = bearer(JSON.parse(signedIn.body).data.accessToken);
  const hello = await ask('/hello', { headers: ann });
  assert.equal(hello.status, 200, hello.body);
  assert.match(hello.body, new RegExp(`"hello":"${fullName}"`));
  const json = { text: 'Call Ben' };
  const note = await ask('/notes', { headers: ann, json });
  assert.deepEqual([note.status, JSON.parse(note.body)], [host.noteStatus, json]);
  const refusals = [
    await ask('/notes', { json }),
    await ask(signInPath, { json: { email, password: 'not the password of Ann' } }),
    await ask('/hello'),
    await ask('/hello', { headers: bearer('nonsense') }),
  ];
  for (const { status, body } of refusals) {
    assert.equal(status, 401, body);
    assert.equal(JSON.parse(body).error.code, 'unauthorized', body);
  }
  const malformed = await ask(signInPath, { json: { email } });
  assert.deepEqual([malformed.status, JSON.parse(malformed.body).error.code], [400, 'validation_error']);
  // Twice, because the next request uses the connection of the first one.
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await ask(signInPath, { json: { email: 'x'.repeat(200_000) } })).status, 413);
  }
  const page = await ask(`${host.mountPath}/login`);
  assert.equal(page.status, 200);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(page.body) ?? [];
  assert.equal((await fetch(new URL(script, `${base + host.mountPath}/login`))).status, 200, page.body);
  const head = await fetch(`${base + host.mountPath}/login`, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
  await assertLimited(() => ask(signInPath, { json: { email } }));
  assert.equal((await ask('/nothing-here')).status, 404);
}

/** Checks the limit by address. */
async function assertLimited(attempt) {
  for (let count = 0; count < 40; count += 1) {
    const { status, headers } = await attempt();
    if (status !== 429) continue;
    assert.ok(Number(headers.get('retry-after')) > 0);
    return;
  }
  assert.fail('sign-ins are not limited by address');
}

import assert from 'node:assert/strict';
import { freePort, plainEnvironment } from '../shared/environment.mjs';
import { Service } from '../tour/service.mjs';
import { ANN, query } from './host-database.mjs';

/** The address of a client behind one proxy. */
const FORWARDED = '203.0.113.7';
const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (token) => ({ authorization: `Bearer ${token}` });

/** Checks for a host that mounts the router at its root and guards `GET /hello` and `POST /notes`. */
export const PLAIN_HOST = {
  health: '/health',
  signInPath: '/auth/login',
  accessTokenOf: (body) => body.data.accessToken,
  pages: ['/login'],
  noteStatus: 200,
};

/** Starts the host of a recipe and sends requests: signed in, anonymous, with a body. */
export async function assertHost({ folder, env, plainUrl }, host) {
  const port = await freePort();
  const service = new Service(host.command, folder, {
    ...plainEnvironment(env),
    TRUST_PROXY: '127.0.0.1',
    HOST: '127.0.0.1',
    PORT: String(port),
  });
  try {
    await service.untilHealthy(port, host.health, ({ status }) => status < 500);
    await assertAnswers(`http://127.0.0.1:${port}`, host);
    const sessions = 'SELECT ip_address AS address FROM latchkey.sessions ORDER BY created_at DESC';
    assert.equal((await query(plainUrl, sessions))[0]?.address, FORWARDED);
  } catch (error) {
    throw new Error(`${error.message}\n--- the host ---\n${service.output.slice(-4000)}`, { cause: error });
  } finally {
    await service.stop();
  }
  assert.doesNotMatch(service.output, /unhandled|uncaught/i);
}

async function assertAnswers(base, host) {
  const ask = async (path, { headers, json } = {}) => {
    const request =
      json === undefined
        ? { headers }
        : { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(json) };
    const response = await fetch(base + path, request);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const { email, fullName, password } = ANN;

  const proxied = { 'x-forwarded-for': FORWARDED };
  const signedIn = await ask(host.signInPath, { headers: proxied, json: { email, password } });
  assert.equal(signedIn.status, 200, signedIn.body);
  const ann = bearer(host.accessTokenOf(JSON.parse(signedIn.body)));
  const hello = await ask('/hello', { headers: ann });
  assert.equal(hello.status, 200, hello.body);
  assert.match(hello.body, new RegExp(`"hello":"${fullName}"`));
  const refusals = [
    await ask(host.signInPath, { json: { email, password: 'not the password of Ann' } }),
    await ask('/hello'),
    await ask('/hello', { headers: bearer('nonsense') }),
  ];
  if (host.noteStatus !== undefined) {
    const json = { text: 'Call Ben' };
    const note = await ask('/notes', { headers: ann, json });
    assert.deepEqual([note.status, JSON.parse(note.body)], [host.noteStatus, json]);
    refusals.push(await ask('/notes', { json }));
  }
  for (const { status, body } of refusals) {
    assert.equal(status, 401, body);
    assert.equal(JSON.parse(body).error.code, 'unauthorized', body);
  }
  const malformed = await ask(host.signInPath, { json: { email } });
  assert.deepEqual([malformed.status, JSON.parse(malformed.body).error.code], [400, 'validation_error']);
  for (const path of host.pages) assert.equal((await ask(path)).status, 200, path);
  await assertLimited(() => ask(host.signInPath, { json: { email } }));
  assert.equal((await ask('/nothing-here')).status, 404);
}

/** Checks the limit by address, which a host without the router must apply itself. */
async function assertLimited(attempt) {
  for (let count = 0; count < 40; count += 1) {
    const { status, headers } = await attempt();
    if (status !== 429) continue;
    assert.ok(Number(headers.get('retry-after')) > 0);
    return;
  }
  assert.fail('sign-ins are not limited by address');
}

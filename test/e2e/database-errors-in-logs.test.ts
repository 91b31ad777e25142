import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuth, readSettings, type Logger } from '@latchkey/core';
import { createAuthRouter } from '@latchkey/express-adapter';
import { hostAppForThisTest } from '../support/host-app.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { testKeys } from '../support/test-keys.js';

const person = {
  email: 'row.contents@example.com',
  password: 'four quiet words here',
  fullName: 'Rosa Contents',
};
const QUOTED = ['$argon2id$', person.email, person.fullName, 'Failing row'];
const FAILURE = { status: 500, code: 'internal_error' };

/** A service whose table of users requires more than it writes, as after a manual change. */
async function serviceWithForeignColumn(): Promise<TestService> {
  const service = await serviceForThisTest();
  await service.sql('ALTER TABLE users ADD COLUMN cost_center text NOT NULL');
  return service;
}

/** A logger that prints every argument, in every way a program prints errors. */
function printingLogger(): { logger: Logger; text: () => string } {
  const lines: string[] = [];
  const print = (details: object, message: string): void => {
    lines.push(message, inspect(details, { depth: null, showHidden: true }));
    for (const value of Object.values(details)) {
      if (value instanceof Error)
        lines.push(JSON.stringify(Object.assign({}, value)), JSON.stringify(value.cause ?? null));
    }
  };
  return { logger: { debug: print, info: print, warn: print, error: print }, text: () => lines.join('\n') };
}

describe('a row that the database refuses', () => {
  it('a row that the database refuses is a plain 500, and its contents are not in the log of the service', async () => {
    const service = await serviceWithForeignColumn();
    const answer = await service.client.send('POST', '/auth/register', { body: person });
    expect(answer).toMatchObject({ ...FAILURE, message: 'Something went wrong on our side.' });
    expect(service.log()).toContain('cost_center');
    for (const text of QUOTED) expect(service.log(), text).not.toContain(text);
  });

  it('a row that the database refuses is not in the log of a host app either, whatever its logger prints', async () => {
    const { databaseUrl } = await serviceWithForeignColumn();
    const { logger, text } = printingLogger();
    const settings = readSettings({
      APP_ENV: 'test',
      DATABASE_URL: databaseUrl,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      PUBLIC_REGISTRATION_ENABLED: 'true',
    });
    const auth = await createAuth(settings, { logger });
    onTestFinished(() => auth.close());
    const client = await hostAppForThisTest((app) => app.use(createAuthRouter(auth)));
    expect(await client.send('POST', '/auth/register', { body: person })).toMatchObject(FAILURE);
    expect(text()).toContain('cost_center');
    for (const quoted of QUOTED) expect(text(), quoted).not.toContain(quoted);
  });
});

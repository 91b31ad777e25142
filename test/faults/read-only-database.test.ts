import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../support/open-connection.js';
import { scrape } from '../support/scrape.js';
import { serviceForThisTest, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** Makes every connection from now on a new one, which takes up the setting. */
async function setReadOnly(service: TestService, isReadOnly: boolean): Promise<void> {
  const url = new URL(service.databaseUrl);
  const name = url.pathname.slice(1);
  const client = await openConnection(service.databaseUrl);
  await client.query('SET default_transaction_read_only = off');
  await client.query(
    `ALTER DATABASE "${name}" SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name],
  );
  await client.end();
}

const upOf = async (service: TestService): Promise<number | undefined> =>
  (await scrape(service)).of('latchkey_dependency_up').find(({ labels }) => labels.dependency === 'database')
    ?.value;

it.each(['true', 'false'])(
  'a read-only database fails /ready and is reported as down until it takes writes again (prepared statements: %s)',
  async (preparedStatements) => {
    const service = await serviceForThisTest({ env: { DATABASE_PREPARED_STATEMENTS: preparedStatements } });
    expect((await service.api('GET', '/ready')).status).toBe(200);
    await setReadOnly(service, true);
    onTestFinished(() => setReadOnly(service, false));
    const refused = await waitUntil(
      async () => {
        const answer = await service.client.send('GET', '/ready');
        // Connections that were cut off may be noticed first.
        return answer.status === 503 && answer.message !== 'Not reachable: database.' && answer;
      },
      { what: '503 of /ready' },
    );
    expect(refused).toMatchObject({ code: 'not_ready', message: 'Read-only: database.' });
    expect(refused.headers['retry-after']).toBeDefined();
    // Dependencies are asked every five seconds at most.
    await waitUntil(async () => (await upOf(service)) === 0, { what: 'up 0' });
    expect((await service.client.send('GET', '/health')).status).toBe(200);
    await setReadOnly(service, false);
    await waitUntil(async () => (await service.client.send('GET', '/ready')).status === 200, {
      what: '200 of /ready',
    });
    await waitUntil(async () => (await upOf(service)) === 1, { what: 'up 1' });
  },
);

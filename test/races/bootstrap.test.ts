import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unknownClient } from '@latchkey/core';
import { createAdministration, type Administration } from '@latchkey/operations';
import { runCli } from '../support/cli-process.js';
import { startTestService, type TestService } from '../support/service.js';

const ROUNDS = 10;

let service: TestService;
/** Two processes' worth of connections: they share nothing but the rows. */
let administrations: [Administration, Administration];

beforeAll(async () => {
  service = await startTestService();
  const { settings } = service.auth;
  administrations = await Promise.all([createAdministration(settings), createAdministration(settings)]);
});

afterAll(async () => {
  await Promise.all(administrations.map((administration) => administration.close()));
  await service.stop();
});

beforeEach(async () => {
  await service.sql('DELETE FROM users');
});

const turn = (n: number): Administration => administrations[n % 2 === 0 ? 0 : 1];

const operator = { kind: 'operator', name: 'test' } as const;

const superadmins = (): Promise<Record<string, unknown>[]> =>
  service.sql(`SELECT email FROM users WHERE global_role = 'PLATFORM_SUPERADMIN'`);

describe('bootstraps at the same time', () => {
  it('simultaneous bootstraps make one superadmin, and all other runs return it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await service.sql('DELETE FROM users');
      const outcomes = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          turn(n).bootstrap.create(operator, { email: `first${n}@example.com` }, unknownClient),
        ),
      );
      expect(outcomes.filter((outcome) => outcome.isNew)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.superadmin.email)).size).toBe(1);
      expect(await service.sql('SELECT email FROM users')).toEqual([
        { email: outcomes[0]?.superadmin.email },
      ]);
    }
  });

  it('a bootstrap that creates and one that promotes make one superadmin between them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await service.sql('DELETE FROM users');
      const user = await service.createUser();
      const [one, other] = administrations;
      await Promise.all([
        one.bootstrap.promote(operator, user.id, unknownClient),
        other.bootstrap.create(operator, { email: 'new@example.com' }, unknownClient),
      ]);
      expect(await superadmins()).toHaveLength(1);
    }
  });

  it('of bootstraps at two command lines one exits with 0 and one with 1', async () => {
    const env = { DATABASE_URL: service.databaseUrl };
    const results = await Promise.all(
      ['one', 'two'].map((name) =>
        runCli(['bootstrap', '--email', `${name}@example.com`, '--no-password'], { env }),
      ),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(results.find(({ code }) => code === 1)?.stderr).toContain('There is already an active superadmin');
    expect(await superadmins()).toHaveLength(1);
  });
});

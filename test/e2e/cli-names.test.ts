import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService();
  testClient = new OperatorClient(service);
});

afterAll(() => service.stop());

/** The id of the one user that a text names. */
const named = async (text: string): Promise<string> =>
  (await testClient.run(['users', 'show', text, '-q'])).stdout.trim();

const numberedId = (prefix: string, number: number): string =>
  `${prefix}-0000-7000-8000-${String(number).padStart(12, '0')}`;

const insertUser = (id: string, email: string): Promise<unknown> =>
  service.sql(
    `INSERT INTO users (id, email, full_name, approval_status, is_active) VALUES ($1, $2, 'Ada', 'APPROVED', true)`,
    [id, email],
  );

describe('naming a user', () => {
  it('a user is found by a prefix of the email or id, in any case', async () => {
    const user = await service.createUser({ email: 'lonely.ada@example.com' });
    expect(await named('lonely')).toBe(user.id);
    expect(await named(' LONELY.Ada@exa')).toBe(user.id);
    await service.sql('DELETE FROM users WHERE id <> $1', [user.id]);
    expect(await named(user.id.slice(0, 4))).toBe(user.id);
    expect(await named(user.id.slice(0, 20).toUpperCase())).toBe(user.id);
  });

  it('a whole email or id that is a prefix of another one finds only its own user', async () => {
    const short = await service.createUser({ email: 'twin@example.co' });
    await service.createUser({ email: 'twin@example.com' });
    expect(await named('twin@example.co')).toBe(short.id);
    await insertUser(numberedId('0000aaaa', 1), `${short.id}@example.com`);
    expect(await named(short.id)).toBe(short.id);
  });

  it('a whole email with a typing error finds no user', async () => {
    await service.createUser({ email: 'slip@example.com' });
    const { code, stderr } = await testClient.run(['users', 'deactivate', 'slip@example.co', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'error: There is no user slip@example.co.\nSee: latchkey users list\n',
    });
  });

  it.each(['%', '____', 'wild%', 'wild\\', 'wild_card'])(
    'the wildcard %s matches only itself',
    async (text) => {
      await service.sql(`DELETE FROM users WHERE email LIKE 'wild%'`);
      await service.createUser({ email: 'wildxcard@example.com' });
      const padded = text.padEnd(4, '%');
      expect(await testClient.run(['users', 'show', padded])).toMatchObject({ code: 3, stdout: '' });
    },
  );

  it('a wildcard character matches an email that contains it', async () => {
    const user = await service.createUser({ email: 'under_score@example.com' });
    await service.createUser({ email: 'underxscore@example.com' });
    expect(await named('under_')).toBe(user.id);
  });
});

describe('a prefix', () => {
  it('a prefix of fewer than four characters finds no user', async () => {
    await service.createUser({ email: 'abc@example.com' });
    const { code, stderr } = await testClient.run(['users', 'approve', 'abc']);
    expect(code).toBe(2);
    expect(stderr).toBe('error: "abc" is too short to name anything: give at least 4 characters.\n');
  });

  it('an ambiguous prefix changes nothing, and the error lists the users', async () => {
    await insertUser(numberedId('0000bbbb', 1), 'same.one@example.com');
    await insertUser(numberedId('0000bbbb', 2), 'same.two@example.com');
    for (const text of ['same.', '0000bbbb-']) {
      const { code, stdout, stderr } = await testClient.run(['users', 'deactivate', text, '--yes']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.split('\n')).toEqual([
        `error: 2 users begin with "${text}":`,
        `  ${numberedId('0000bbbb', 1)}  same.one@example.com  Ada`,
        `  ${numberedId('0000bbbb', 2)}  same.two@example.com  Ada`,
        'Give more of it.',
        '',
      ]);
    }
    const inactive = `SELECT id FROM users WHERE email LIKE 'same.%' AND NOT is_active`;
    expect(await service.sql(inactive)).toEqual([]);
  });

  it('the error of a very ambiguous prefix lists ten users', async () => {
    for (let n = 0; n < 12; n++) await insertUser(numberedId('0000cccc', n), `crowd${n}@example.com`);
    const { code, stderr } = await testClient.run(['users', 'show', 'crowd']);
    expect(code).toBe(2);
    expect(stderr).toContain('error: More than 10 users begin with "crowd":');
    expect(stderr.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(10);
  });
});

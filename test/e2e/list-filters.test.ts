import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';

let kit: TestAuth;
beforeAll(async () => {
  kit = await createTestAuth({ databaseUrl: inject('postgres').url });
});
afterAll(() => kit.close());

it.each([
  ['users', 'isActiv'],
  ['sessions', 'userid'],
  ['mail', 'stat'],
  ['invitations', 'company'],
  ['audit', 'userID'],
] as const)(
  'a list of %s rejects the unknown filter %s, which would return everything',
  async (name, field) => {
    const list = kit.auth.admin[name].list.bind(kit.auth.admin[name]) as (filter: object) => Promise<unknown>;
    await expect(list({ [field]: 'anything' })).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(field) as string,
    });
    await expect(list({})).resolves.toHaveProperty('items');
  },
);

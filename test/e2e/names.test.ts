import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const HOSTILE = 'Eve \u001b[31mred\u001b[0m\nYour account is locked';
const REFUSED = {
  status: 400,
  code: 'validation_error',
  message: expect.stringContaining('fullName: must not contain control characters') as string,
};
const freshEmail = (): string => `guest-${randomUUID()}@example.com`;
const password = 'a long walk home';

it('a name with control characters is refused at every way in, with the reason', async () => {
  const { token } = await signedInUser(service);
  const user = await service.createUser();
  const invitations = await InvitationClient.open(service);
  const invited = await invitations.invite();
  const answers = [
    await service.api('POST', '/auth/register', {
      body: { email: freshEmail(), password, fullName: HOSTILE },
    }),
    await service.machine('POST', '/internal/admin/users', {
      body: { email: freshEmail(), fullName: HOSTILE },
    }),
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body: { fullName: HOSTILE } }),
    await service.api('PATCH', '/auth/me', { token, body: { fullName: HOSTILE } }),
    await invitations.accept({ token: invited.token, password, fullName: HOSTILE }),
  ];
  for (const answer of answers) expect(answer).toMatchObject(REFUSED);
  expect((await invitations.preview(invited.token)).status).toBe(200);
});

it.each(["Siobhán O'Neill-Ørsted", '李小龙', 'محمد بن سلمان', 'Zoë 👩‍💻 🌷'])(
  '%s can register and be found by that name',
  async (fullName) => {
    const email = freshEmail();
    const body = { email, password, fullName };
    expect((await service.api('POST', '/auth/register', { body })).status).toBe(201);
    const { items } = await service.machine('GET', `/internal/admin/users?search=${email}`);
    expect(items[0]).toMatchObject({ fullName });
  },
);

it('an existing name with such characters can still be read, kept and changed', async () => {
  const user = await signedInUser(service, { fullName: HOSTILE });
  const { data } = await service.api('GET', '/auth/me', { token: user.token });
  expect(data).toMatchObject({ name: HOSTILE });
  const path = `/internal/admin/users/${user.id}`;
  expect((await service.machine('PATCH', path, { body: { phonePrefix: '+49' } })).data).toMatchObject({
    fullName: HOSTILE,
  });
  expect((await service.machine('PATCH', path, { body: { fullName: 'Eve' } })).status).toBe(200);
});

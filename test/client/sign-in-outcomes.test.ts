import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@latchkey/client';
import { REQUIRED, secondFactorHost } from '../support/second-factor-host.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { clientOf, signedInClient } from './client-fixture.js';

describe('a sign-in that requires a second factor', () => {
  it('returns the next step and starts no session', async () => {
    const host = await secondFactorHost();
    const client = createClient({ baseUrl: host.url, tokens: 'memory' });
    const { email, password } = await host.createUser();
    const { data } = await client.signIn({ email, password });
    expect(data).toEqual({ status: 'second_factor_required', ...REQUIRED });
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'none' });
  });

  it('returns the next step of an accepted invitation, with the invitation', async () => {
    const host = await secondFactorHost();
    const client = createClient({ baseUrl: host.url, tokens: 'memory' });
    const { token, companyId } = await host.invite();
    const { data } = await client.invitations.accept({
      token,
      password: 'a long walk home',
      fullName: 'Ben',
    });
    expect(data).toMatchObject({ status: 'second_factor_required', invitation: { companyId } });
    expect(client.session.state.status).toBe('signed_out');
  });
});

describe('an invitation', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('is created, listed, sent again, cancelled, previewed and accepted by the client', async () => {
    const company = new TestCompany(service);
    const admin = await signedInClient(service);
    await company.join(admin.user.id, { role: 'ADMIN' });
    const { invitations } = admin.client;
    const [first, second] = await Promise.all(
      ['new-one@example.com', 'new-two@example.com'].map((email) =>
        invitations.create(company.id, { email }),
      ),
    );
    expect((await invitations.list(company.id)).data).toHaveLength(2);
    expect((await invitations.cancel(company.id, second?.data?.id ?? '')).data?.status).toBe('CANCELLED');
    expect((await invitations.resend(company.id, first?.data?.id ?? '')).ok).toBe(true);
    const { token } = await service.mailTo('new-one@example.com', 2);

    const newcomer = await clientOf(service);
    expect((await newcomer.client.invitations.preview(token)).data?.userExists).toBe(false);
    const { data } = await newcomer.client.invitations.accept({
      token,
      password: 'a long walk home',
      fullName: 'New',
    });
    expect(data).toMatchObject({ status: 'signed_in', invitation: { status: 'ACCEPTED' } });
    expect((await newcomer.client.me()).data?.companyMemberships).toHaveLength(1);
  });

  it('is accepted by a signed-in user, whose session stays', async () => {
    const company = new TestCompany(service);
    const admin = await signedInClient(service);
    await company.join(admin.user.id, { role: 'ADMIN' });
    const guest = await signedInClient(service);
    const { session } = guest.store;
    await admin.client.invitations.create(company.id, { email: guest.user.email });
    const { token } = await service.mailTo(guest.user.email);
    expect((await guest.client.invitations.accept({ token })).data).toMatchObject({ status: 'joined' });
    expect(guest.store.session).toEqual(session);
  });
});

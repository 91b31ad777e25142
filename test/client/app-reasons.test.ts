import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { problemDetails } from '../../packages/http/src/routing/problem-details.js';
import { startTestService, type TestService } from '../support/service.js';
import { clientOf } from './client-fixture.js';

let service: TestService;

beforeAll(async () => {
  const login = () => {
    throw AuthError.conflict('Your plan has no seats left.', 'app.no_seats');
  };
  const registration = () => {
    throw new AuthError('forbidden', 'Your company is full.', { reason: 'app.company_full' });
  };
  service = await startTestService({ extensions: { before: { login }, within: { registration } } });
});
afterAll(() => service.stop());

it('problem details and the client have a reason of the host app', async () => {
  const { email, password } = await service.createUser();
  const answer = await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    headers: { accept: 'application/problem+json', 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(problemDetails.parse(await answer.json())).toMatchObject({
    status: 409,
    code: 'conflict',
    reason: 'app.no_seats',
  });
  const { client } = await clientOf(service);
  const { error } = await client.signIn({ email, password });
  expect(error).toMatchObject({ code: 'conflict', reason: 'app.no_seats', status: 409 });
});

it('problem details and the client have a reason that a function within the transaction gives', async () => {
  const { client } = await clientOf(service);
  const { error } = await client.request('POST', '/auth/register', {
    body: { email: 'ann@example.com', password: 'a long walk home', fullName: 'Ann' },
  });
  expect(error).toMatchObject({ code: 'forbidden', reason: 'app.company_full', status: 403 });
});

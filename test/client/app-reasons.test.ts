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
  service = await startTestService({ extensions: { before: { login } } });
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

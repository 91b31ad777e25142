// A client as adopters write it, with types made from docs/openapi.json. It is compiled and never run: what must compile
// is written as it is, and what must not is below `@ts-expect-error`.
import createClient from 'openapi-fetch';
import type { paths } from './dist/api.js';

const client = createClient<paths, 'application/json'>({ baseUrl: 'http://localhost:3097' });

export async function listActiveUsers(): Promise<string[]> {
  const { data } = await client.GET('/internal/users', { params: { query: { limit: 5, isActive: true } } });
  return data?.data.map(({ email }) => email) ?? [];
}

export async function signIn(email: string, password: string): Promise<string | undefined> {
  const { data, error } = await client.POST('/auth/login', { body: { email, password } });
  if (error?.error.code === 'pending_approval') return 'Wait for approval.';
  // Where the tokens are in cookies they are not in the answer.
  return data && 'accessToken' in data.data ? data.data.accessToken : undefined;
}

export async function mistakes(email: string, password: string): Promise<void> {
  // @ts-expect-error a number, not its digits
  await client.GET('/internal/users', { params: { query: { limit: '5' } } });
  // @ts-expect-error no such filter
  await client.GET('/internal/users', { params: { query: { colour: 'red' } } });
  // @ts-expect-error a misspelt field
  await client.POST('/auth/login', { body: { email, passwort: password } });
  // @ts-expect-error no such path
  await client.GET('/auth/whoami');
  const { error } = await client.POST('/auth/login', { body: { email, password } });
  // @ts-expect-error a code that no sign-in answers with
  if (error?.error.code === 'registration_disabled') return;
}

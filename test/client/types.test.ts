import { describe, expectTypeOf, it } from 'vitest';
import type {
  Client,
  RequestError,
  RequestPath,
  ResponseData,
  Result,
  Schemas,
  SessionStore,
  SignInOutcome,
  StoredSession,
  TransportError,
} from '@latchkey/client';

/** Compiled by `npm run typecheck`; nothing here runs. */
declare const client: Client;

type CodesOf<Failure extends { code: string }> = Failure['code'];
type Unreachable = TransportError['code'];

describe('the types of the client', () => {
  it('have the routes of people and none of machines', () => {
    expectTypeOf<'/internal/users'>().toExtend<RequestPath<'GET'>>();
    expectTypeOf<'/internal/companies/resolve'>().toExtend<RequestPath<'GET'>>();
    expectTypeOf<'/internal/admin/users'>().not.toExtend<RequestPath<'GET'>>();
    expectTypeOf<'/auth/login'>().not.toExtend<RequestPath<'GET'>>();
  });

  it('have the data of a route without the envelope', () => {
    expectTypeOf<ResponseData<'GET', '/auth/me'>>().toEqualTypeOf<Schemas['OwnProfile']>();
    expectTypeOf<ResponseData<'GET', '/auth/sessions'>>().toEqualTypeOf<Schemas['OwnSession'][]>();
    expectTypeOf<ResponseData<'POST', '/auth/register'>>().toEqualTypeOf<Schemas['Registration']>();
    expectTypeOf<ResponseData<'GET', '/.well-known/jwks.json'>>().toEqualTypeOf<Schemas['KeySet']>();
  });

  it('have the errors of a route as a union by code', () => {
    expectTypeOf<CodesOf<RequestError<'GET', '/auth/sessions'>>>().toEqualTypeOf<
      | Unreachable
      | 'validation_error'
      | 'unauthorized'
      | 'session_revoked'
      | 'forbidden'
      | 'pending_approval'
      | 'registration_rejected'
      | 'account_inactive'
      | 'internal_error'
      | 'service_unavailable'
    >();
    expectTypeOf<'registration_disabled'>().toExtend<CodesOf<RequestError<'POST', '/auth/register'>>>();
    expectTypeOf<'registration_disabled'>().not.toExtend<CodesOf<RequestError<'POST', '/auth/login'>>>();
  });

  it('narrow errors by code, with the details of that code', () => {
    const show = (error: RequestError<'POST', '/auth/login'>): void => {
      if (error.code === 'rate_limited') {
        expectTypeOf(error.retryAfterSeconds).toEqualTypeOf<number | undefined>();
      } else if (error.code === 'network_failure') {
        expectTypeOf(error.cause).toBeUnknown();
      } else if (error.code === 'unauthorized') {
        // @ts-expect-error only limits and outages have it
        expectTypeOf(error.retryAfterSeconds).toBeAny();
        expectTypeOf(error.fields[0]?.pointer).toEqualTypeOf<string | undefined>();
      }
    };
    expectTypeOf(show).returns.toBeVoid();
  });

  it('narrow a result by `ok` and by `error`', () => {
    const read = (result: Result<string, TransportError>): string => {
      if (result.ok) return result.data;
      expectTypeOf(result.data).toBeUndefined();
      return result.error.code;
    };
    const destructure = ({ data, error }: Result<string, TransportError>): string =>
      error ? error.code : data;
    expectTypeOf(read).returns.toBeString();
    expectTypeOf(destructure).returns.toBeString();
  });

  it('have the outcome of a sign-in, with or without a second factor', () => {
    expectTypeOf<Awaited<ReturnType<Client['signIn']>>['data']>().toEqualTypeOf<SignInOutcome | undefined>();
    expectTypeOf<
      Extract<SignInOutcome, { status: 'second_factor_required' }>['secondFactor']['methods']
    >().toEqualTypeOf<string[]>();
  });

  it('refuse input that the route does not take', () => {
    const mistakes = (): unknown[] => [
      // @ts-expect-error no such path
      client.request('GET', '/auth/whoami'),
      // @ts-expect-error no such method of this path
      client.request('DELETE', '/auth/login'),
      // @ts-expect-error the id is missing
      client.request('GET', '/internal/users/{id}'),
      // @ts-expect-error the company is missing
      client.request('GET', '/auth/me/access'),
      // @ts-expect-error a number, not its digits
      client.request('GET', '/internal/users', { query: { limit: '5' } }),
      // @ts-expect-error no such filter
      client.request('GET', '/internal/users', { query: { colour: 'red' } }),
      // @ts-expect-error a misspelt field
      client.request('POST', '/auth/register', { body: { email: '', passwort: '', fullName: '' } }),
      // @ts-expect-error the route takes no body
      client.request('POST', '/auth/logout-all', { body: {} }),
      // @ts-expect-error a text, not a list
      client.invitations.create('', { email: '', moduleGrants: 'invoices' }),
    ];
    expectTypeOf(mistakes).returns.toBeArray();
  });

  it('accept input as the route takes it', () => {
    const requests = (): unknown[] => [
      client.request('GET', '/auth/me'),
      client.request('GET', '/internal/users', { query: { isActive: true } }),
      client.request('PATCH', '/internal/users/{id}', { path: { id: '' }, body: { isActive: false } }),
      client.request('GET', '/auth/me/access', { header: { 'x-org': '' } }),
      client.request('POST', '/auth/logout-all', { signal: AbortSignal.timeout(1) }),
    ];
    expectTypeOf(requests).returns.toBeArray();
  });

  it('let a store of an app be synchronous or not', () => {
    expectTypeOf<{
      read: () => Promise<undefined>;
      write: (session: StoredSession) => void;
      clear: () => Promise<void>;
    }>().toExtend<SessionStore>();
  });
});

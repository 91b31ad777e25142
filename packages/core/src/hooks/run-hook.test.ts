import { afterEach, describe, expect, it, vi } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { ErrorCode } from '../kernel/error-code.js';
import { runHook } from './run-hook.js';

interface Attempt {
  email: string;
}
type Hook = (attempt: Readonly<Attempt>, client: Readonly<ClientInfo>) => void | Promise<void>;

const run = (hook: Hook, client = unknownClient) =>
  runHook('login', hook, { email: 'ada@example.com' }, client);

afterEach(() => {
  vi.useRealTimers();
});

describe('a hook', () => {
  it.each<[string, Hook]>([
    ['returns', () => undefined],
    ['resolves', () => Promise.resolve()],
    ['gives anything at all', () => false as unknown as undefined],
  ])('a hook that %s allows the action', async (_how, hook) => {
    await expect(run(hook)).resolves.toBeUndefined();
  });

  it.each<[string, (error: AuthError) => Hook]>([
    ['thrown', (error) => () => fail(error)],
    ['rejected', (error) => () => Promise.reject(error)],
  ])('an AuthError that a hook throws %s is thrown unchanged', async (_how, by) => {
    const refusal = new AuthError('rate_limited', 'Come back tomorrow.', { retryAfterSeconds: 86_400 });
    await expect(run(by(refusal))).rejects.toBe(refusal);
  });

  it.each<[string, unknown]>([
    ['an error', new TypeError('plans is undefined')],
    ['text', 'no'],
    ['nothing', undefined],
    ['an AuthError with a code that does not exist', new AuthError('banned' as ErrorCode, 'Go away.')],
  ])('a hook that throws %s fails with the cause kept for the log', async (_what, thrown) => {
    await expect(run(() => fail(thrown))).rejects.toMatchObject({
      name: 'AuthError',
      code: 'internal_error',
      message: 'Something went wrong on our side.',
      cause: { message: 'The hook before.login failed.', cause: thrown },
    });
  });

  it('a hook that does not answer within 3 seconds fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = vi.fn();
    const running = run(() => new Promise(() => undefined)).catch(outcome);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await running;
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ code: 'service_unavailable' }));
  });

  it('a hook cannot change its argument', async () => {
    const client = { ...unknownClient, ipAddress: '192.0.2.1' };
    const changes: Hook[] = [
      (attempt) => void Object.assign(attempt, { email: 'eve@example.com' }),
      (_attempt, context) => void Object.assign(context, { ipAddress: null }),
    ];
    for (const change of changes)
      await expect(run(change, client)).rejects.toMatchObject({ code: 'internal_error' });
    expect(client.ipAddress).toBe('192.0.2.1');
  });
});

function fail(thrown: unknown): never {
  throw thrown;
}

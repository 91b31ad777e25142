import type { SpanDetails } from '../kernel/tracer.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { AsyncMethod } from '../tracing/traced.js';

type Spans<Target> = Readonly<Record<AsyncMethod<Target>, SpanDetails>>;

const redis = (command: string): SpanDetails => ({
  name: `redis ${command}`,
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': command },
});

/** The spans of Redis, for each operation of the store. */
export const STORE_SPANS: Spans<EphemeralStore> = {
  get: redis('get'),
  getMany: redis('get_many'),
  set: redis('set'),
  setIfAbsent: redis('set_if_absent'),
  compareAndSet: redis('compare_and_set'),
  getAndDelete: redis('get_and_delete'),
  increment: redis('increment'),
  delete: redis('delete'),
  ping: redis('ping'),
  close: redis('close'),
};

const argon2 = (operation: string): SpanDetails => ({
  name: `password ${operation}`,
  kind: 'internal',
  attributes: { 'latchkey.password.operation': operation },
});

/** The spans of hashing, the wait for a thread included. A decoy has the name of what it imitates. */
export const HASH_SPANS: Spans<PasswordHasher> = {
  hash: argon2('hash'),
  wrap: argon2('wrap'),
  verify: argon2('verify'),
  verifyDecoy: argon2('verify'),
  close: argon2('close'),
};

import type { Mutation } from './mutation.js';

const SAME_WORK =
  'An unknown email, an account without a password and a wrong password cost the same work, whatever the parameters of stored hashes.';
const FAIR_QUEUE = 'One address cannot use up the password hashing capacity of all others.';
const EXACT_TIMES = 'A token whose times are not exact numbers is rejected.';
const WHOLE_ATTESTATION = 'A passkey response has one encoding: nothing may follow its attestation object.';
const QUIET_LOG = 'No log line contains the row of a statement that the database rejected.';
const FRESH_REMOVAL = 'Removing a passkey requires a recent sign-in.';
const SHORT_PASSWORDS = 'An overlong password is not normalized.';
const PARALLEL_REHASH =
  'Simultaneous sign-ins with the right password all succeed, even while its hash is renewed.';

/** Defects in how passwords are hashed and tokens are read. */
export const passwordsAndTokensMutations: readonly Mutation[] = [
  {
    promise: SAME_WORK,
    defect: 'no decoy for an unknown email',
    file: 'packages/core/src/login/login-service.ts',
    from: 'if (!account?.passwordHash) await this.#deps.passwords.verifyDecoy(password, email, bucket);',
    to: 'if (account && !account.passwordHash) await this.#deps.passwords.verifyDecoy(password, email, bucket);',
  },
  {
    promise: SAME_WORK,
    defect: 'the decoy always has the configured cost',
    file: 'packages/core/src/passwords/password-hasher.ts',
    from: 'return this.#verifyInVain(this.#decoys.hashFor(email), password, bucket);',
    to: "return this.#verifyInVain(email === '' ? '' : this.#decoys.configured, password, bucket);",
  },
  {
    promise: SAME_WORK,
    defect: 'the kinds of stored hashes are never read',
    file: 'packages/core/src/login/decoy-refresh.ts',
    from: 'this.#decoys.replace(await this.#hashes.kinds());',
    to: 'this.#decoys.replace((await this.#hashes.kinds()).slice(0, 0));',
  },
  {
    promise: FAIR_QUEUE,
    defect: 'one bucket may fill the whole queue',
    file: 'packages/core/src/passwords/fair-queue.ts',
    from: 'Math.max(1, Math.floor(capacity / 4))',
    to: 'Math.max(1, capacity)',
  },
  {
    promise: FAIR_QUEUE,
    defect: 'a bucket is served to its end before the next one',
    file: 'packages/core/src/passwords/fair-queue.ts',
    from: 'if (this.#buckets.delete(bucket)) this.#buckets.set(bucket, items);',
    to: '',
  },
  {
    promise: EXACT_TIMES,
    defect: 'any number is a time',
    file: 'packages/core/src/tokens/numeric-date.ts',
    from: '!Number.isSafeInteger(payload[name])',
    to: "typeof payload[name] !== 'number'",
  },
  {
    promise: WHOLE_ATTESTATION,
    defect: 'what follows the attestation object is ignored',
    file: 'packages/core/src/passkeys/relying-party.ts',
    from: 'return second instanceof Uint8Array && Buffer.compare(second, sentinel) === 0;',
    to: 'return second !== sentinel;',
  },
  {
    promise: QUIET_LOG,
    defect: 'the detail of a database error is kept',
    file: 'packages/core/src/storage/row-contents.ts',
    from: "const QUOTING = ['detail', 'where',",
    to: "const QUOTING = ['where',",
  },
  {
    promise: FRESH_REMOVAL,
    defect: 'removal asks for no recent sign-in',
    file: 'packages/core/src/passkeys/passkey-service.ts',
    from: 'this.#deps.authenticator.assertFresh(caller, PASSKEY_REMOVAL_MAX_AGE);',
    to: 'this.#deps.authenticator.assertFresh(caller, PASSKEY_REMOVAL_MAX_AGE * 1_000_000);',
  },
  {
    promise: SHORT_PASSWORDS,
    defect: 'the bound before normalization is four times that of the policy',
    file: 'packages/core/src/passwords/normalized-password.ts',
    from: 'Buffer.byteLength(password) > MAX_PASSWORD_BYTES',
    to: 'password.length > 4 * MAX_PASSWORD_BYTES',
  },
  {
    promise: PARALLEL_REHASH,
    defect: 'the sign-in goes on with a hash that was replaced',
    file: 'packages/core/src/login/login-service.ts',
    from: 'return this.#replacedHash(account, password, bucket);',
    to: 'return this.#replacedHash(account, `${password}?`, bucket);',
  },
];

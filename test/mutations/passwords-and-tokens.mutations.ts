import type { Mutation } from './mutation.js';

const SAME_WORK =
  'An unknown email, an account without a password and a wrong password cost the same work, whatever the schemes and parameters of stored hashes.';
const FAIR_QUEUE = 'One address cannot use up the password hashing capacity of all others.';
const EXACT_TIMES = 'A token whose times are not exact numbers is rejected.';
const WHOLE_ATTESTATION = 'A passkey response has one encoding: nothing may follow its attestation object.';
const QUIET_LOG = 'No log line contains the row of a statement that the database rejected.';
const FRESH_REMOVAL = 'Removing a passkey requires a recent sign-in.';
const SHORT_PASSWORDS = 'An overlong password is not normalized.';
const NO_BREACHED =
  'With a list of breached passwords, none of them can be set, in any form that is stored as the same password, by any way to set one.';
const USABLE_LISTS = 'A list of breached passwords that is cut off, damaged or no list is not used.';
const PARALLEL_REHASH =
  'Simultaneous sign-ins with the right password all succeed, even while its hash is renewed.';

const FOREIGN_HASHES =
  'A hash of another system accepts the password that it accepts there and no other, and is replaced at the first sign-in.';
const BOUNDED_COST =
  'No derivation of a hash of another system occupies a hashing thread for more than about two seconds.';
const NOTHING_LEAVES =
  'No salt, digest or key of a stored hash leaves the database for the cost of unknown emails, and the signer key of a Firebase project is not stored.';
const NO_FOREIGN_DIGEST =
  'A wrapped hash does not contain the digest of the other system, and has the configured cost.';

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
    promise: SAME_WORK,
    defect: 'hashes of other systems have no decoys',
    file: 'packages/core/src/passwords/stored-hash.ts',
    from: 'parsePhcString(decoy) ? decoy : (wrappedDecoy(prefix) ?? foreignDecoy(prefix))',
    to: 'parsePhcString(decoy) ? decoy : (wrappedDecoy(prefix) ?? foreignDecoy(`x${prefix}`))',
  },
  {
    promise: FOREIGN_HASHES,
    defect: 'a digest of the right length is the right one',
    file: 'packages/core/src/passwords/password-worker.js',
    from: '? timingSafeEqual(derived, digest)',
    to: '? timingSafeEqual(derived, digest) || derived.length === digest.length',
  },
  {
    promise: FOREIGN_HASHES,
    defect: 'the normalized form is the only one that is verified',
    file: 'packages/core/src/passwords/password-hasher.ts',
    from: ': [password, normalized];',
    to: ': [normalized];',
  },
  {
    promise: BOUNDED_COST,
    defect: 'bcrypt has no upper cost',
    file: 'packages/core/src/passwords/foreign/bcrypt.ts',
    from: 'cost > MAX_COST',
    to: 'cost > 2 * MAX_COST',
  },
  {
    promise: BOUNDED_COST,
    defect: 'the passes of an imported Argon2 hash are not counted',
    file: 'packages/core/src/passwords/foreign/stored-form.ts',
    from: 'parameters.memoryKib * parameters.iterations',
    to: 'parameters.memoryKib',
  },
  {
    promise: NOTHING_LEAVES,
    defect: 'the prefix of a foreign hash includes its end',
    file: 'packages/core/src/passwords/foreign/foreign-hash.ts',
    from: "map(({ prefix }) => prefix).join('|');",
    to: "map(({ prefix }) => `${prefix}.*`).join('|');",
  },
  {
    promise: NOTHING_LEAVES,
    defect: 'the hash of Firebase is stored with its signer key',
    file: 'packages/core/src/passwords/foreign/other-notations.ts',
    from: 'byte ^ (key[index] ?? 0)',
    to: 'key[index] ?? byte',
  },
  {
    promise: NO_FOREIGN_DIGEST,
    defect: 'weak hashes are stored as they are',
    file: 'packages/core/src/passwords/password-hasher.ts',
    from: 'if (parsed.argon2 !== undefined) return storedHash;',
    to: "if (parsed.argon2 !== undefined || parsed.salt !== '') return storedHash;",
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
    defect: 'for a removal the level of a session is sufficient, however old its sign-in is',
    file: 'packages/core/src/sessions/credential-step-up.ts',
    from: 'if (isFresh &&',
    to: "if (acr === 'aal2' || isFresh &&",
  },
  {
    promise: SHORT_PASSWORDS,
    defect: 'the bound before normalization is four times that of the policy',
    file: 'packages/core/src/passwords/normalized-password.ts',
    from: 'Buffer.byteLength(password) > MAX_PASSWORD_BYTES',
    to: 'password.length > 4 * MAX_PASSWORD_BYTES',
  },
  {
    promise: NO_BREACHED,
    defect: 'the normalized form is not looked up',
    file: 'packages/core/src/passwords/breach-list/password-key.ts',
    from: '[keyOf(password), keyOf(normalized)]',
    to: '[keyOf(password)]',
  },
  {
    promise: NO_BREACHED,
    defect: 'commands do not look passwords up',
    file: 'packages/operations/src/compose/create-administration.ts',
    from: '    breached,\n',
    to: '    breached: undefined,\n',
  },
  {
    promise: NO_BREACHED,
    defect: 'a reset does not check the password',
    file: 'packages/core/src/password-reset/password-reset-service.ts',
    from: 'await this.#deps.policy.check(newPassword,',
    to: 'void this.#deps.policy.faultsIn(newPassword,',
  },
  {
    promise: NO_BREACHED,
    defect: 'a chunk of keys is lost while a list is built',
    file: 'packages/operations/src/breach-list/key-spill.ts',
    from: 'this.#written[part]?.push(this.#end);',
    to: 'if (this.#end > 0) this.#written[part]?.push(this.#end);',
  },
  {
    promise: USABLE_LISTS,
    defect: 'the checksum of a block does not depend on the build',
    file: 'packages/core/src/passwords/breach-list/filter-block.ts',
    from: '(seed ^ index) >>> 0',
    to: '(seed * 0 + index) >>> 0',
  },
  {
    promise: USABLE_LISTS,
    defect: 'the length of the file is not checked',
    file: 'packages/core/src/passwords/breach-list/filter-file.ts',
    from: 'if (size !== fileLengthOf(header)) {',
    to: 'if (size < 0 * fileLengthOf(header)) {',
  },
  {
    promise: PARALLEL_REHASH,
    defect: 'the sign-in goes on with a hash that was replaced',
    file: 'packages/core/src/login/login-service.ts',
    from: 'return this.#replacedHash(account, password, bucket);',
    to: 'return this.#replacedHash(account, `${password}?`, bucket);',
  },
];

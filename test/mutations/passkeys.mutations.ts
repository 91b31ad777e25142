import type { Mutation } from './mutation.js';

export const passkeyMutations: readonly Mutation[] = [
  {
    promise:
      'A response counts only for our origin and domain, with the person verified, and with a good signature by a sound key.',
    defect: 'user verification is not required',
    file: 'packages/core/src/passkeys/relying-party.ts',
    from: 'requireUserVerification: true',
    to: 'requireUserVerification: false',
  },
  {
    promise:
      'A response counts only for our origin and domain, with the person verified, and with a good signature by a sound key.',
    defect: 'a framed page may ask',
    file: 'packages/core/src/passkeys/relying-party.ts',
    from: 'if (!clientData || clientData.isEmbedded)',
    to: 'if (!clientData)',
  },
  {
    promise:
      'A response counts only for our origin and domain, with the person verified, and with a good signature by a sound key.',
    defect: 'a short RSA key is accepted',
    file: 'packages/core/src/passkeys/credential-key.ts',
    from: 'modulusLength >= MIN_RSA_BITS && ',
    to: '',
  },
  {
    promise:
      'A challenge works once, for its purpose and for the session that began it, and a count once, on all replicas together.',
    defect: 'a ceremony stays in the store',
    file: 'packages/core/src/passkeys/ceremonies.ts',
    from: 'await this.#store.getAndDelete(key)',
    to: 'await this.#store.get(key)',
  },
  {
    promise:
      'A challenge works once, for its purpose and for the session that began it, and a count once, on all replicas together.',
    defect: 'a count may repeat',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: '(counter < $2 OR',
    to: '(counter <= $2 OR',
  },
  {
    promise:
      'Writing to Redis, or restoring it, neither spends a challenge again nor gives a ceremony to somebody else; without it, passkeys are closed and passwords are not.',
    defect: 'the challenge of a session is not kept',
    file: 'packages/core/src/passkeys/passkey-login.ts',
    from: '      grantDigest: digestOf(challenge),\n',
    to: '',
  },
  {
    promise:
      'Adding one needs session and current password, and is undone by whatever ends the session before it is stored.',
    defect: 'the password is not asked for',
    file: 'packages/core/src/passkeys/passkey-registration.ts',
    from: '    await this.#passwords.confirm(caller, currentPassword, client);\n',
    to: '',
  },
  {
    promise:
      'Adding one needs session and current password, and is undone by whatever ends the session before it is stored.',
    defect: 'the session need not be live when a passkey is stored',
    file: 'packages/core/src/passkeys/passkey-registration.ts',
    from: 'if (!stands || !(await this.#sessions.holdLive(sessionId, userId, trx)))',
    to: "if (!stands || sessionId === '' || trx.isCompleted())",
  },
  {
    promise: 'The owner is told of every passkey that comes or goes; those of others do not exist.',
    defect: 'anybody may remove a passkey',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: '`DELETE FROM passkey_credentials WHERE id = $1 AND user_id = $2',
    to: '`DELETE FROM passkey_credentials WHERE id = $1 AND $2::uuid IS NOT NULL',
  },
];

import type { Mutation } from './mutation.js';

export const passkeyMutations: readonly Mutation[] = [
  {
    promise:
      'A passkey response is accepted only for our origin and domain, with user verification and a valid signature by an acceptable key.',
    defect: 'user verification is not required',
    file: 'packages/core/src/passkeys/relying-party.ts',
    from: 'requireUserVerification: true',
    to: 'requireUserVerification: false',
  },
  {
    promise:
      'A passkey response is accepted only for our origin and domain, with user verification and a valid signature by an acceptable key.',
    defect: 'a framed page may ask',
    file: 'packages/core/src/passkeys/relying-party.ts',
    from: 'if (!clientData || clientData.isEmbedded)',
    to: 'if (!clientData)',
  },
  {
    promise:
      'A passkey response is accepted only for our origin and domain, with user verification and a valid signature by an acceptable key.',
    defect: 'a short RSA key is accepted',
    file: 'packages/core/src/passkeys/credential-key.ts',
    from: 'modulusLength >= MIN_RSA_BITS && ',
    to: '',
  },
  {
    promise:
      'A challenge works once, for its purpose and for the session that requested it. A signature counter is used once across all replicas.',
    defect: 'a ceremony stays in the store',
    file: 'packages/core/src/passkeys/ceremonies.ts',
    from: 'await this.#store.getAndDelete(key)',
    to: 'await this.#store.get(key)',
  },
  {
    promise:
      'A challenge works once, for its purpose and for the session that requested it. A signature counter is used once across all replicas.',
    defect: 'a count may repeat',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: '(counter < $2 OR',
    to: '(counter <= $2 OR',
  },
  {
    promise:
      'Writing to Redis or restoring it neither reuses a challenge nor transfers a ceremony. Without Redis, passkeys are unavailable and passwords still work.',
    defect: 'the challenge of a session is not kept',
    file: 'packages/core/src/passkeys/passkey-login.ts',
    from: '      grantDigest: digestOf(challenge),\n',
    to: '',
  },
  {
    promise:
      'Adding a passkey requires the session and the current password, and is undone if the session ends before it is stored.',
    defect: 'the password is not asked for',
    file: 'packages/core/src/passkeys/passkey-registration.ts',
    from: 'password === undefined && (await this.#hasPassword(caller.userId))',
    to: 'password === ""',
  },
  {
    promise:
      'Adding a passkey requires the session and the current password, and is undone if the session ends before it is stored.',
    defect: 'the session need not be live when a passkey is stored',
    file: 'packages/core/src/sessions/credential-step-up.ts',
    from: 'if (!isUnchanged || !(await this.#deps.sessions.holdLive(sessionId, userId, trx))) {',
    to: "if (!isUnchanged || sessionId === '') {",
  },
  {
    promise:
      'The owner is notified of every passkey added or removed. Passkeys of other users look nonexistent.',
    defect: 'anybody may remove a passkey',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: '`DELETE FROM passkey_credentials WHERE id = $1 AND user_id = $2',
    to: '`DELETE FROM passkey_credentials WHERE id = $1 AND $2::uuid IS NOT NULL',
  },
];

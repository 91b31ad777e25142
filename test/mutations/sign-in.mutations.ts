import type { Mutation } from './mutation.js';

export const signInMutations: readonly Mutation[] = [
  {
    promise: 'The state of an account shows only after the right password.',
    defect: 'the state of an account is checked before the password',
    file: 'packages/core/src/login/login-service.ts',
    from: '    const account = await this.#users.findForLogin(email);\n',
    to: '    const account = await this.#users.findForLogin(email);\n    if (account) await this.#assertAllowed(account.user, client);\n',
  },
  {
    promise:
      'Passwords are stored as Argon2id of at least the recommended cost, and follow when it is raised.',
    defect: 'a hash of other parameters is kept',
    file: 'packages/core/src/passwords/password-hasher.ts',
    from: 'return !parsed || !hasParameters(parsed, this.#parameters);',
    to: 'return !parsed;',
  },
  {
    promise:
      'Headers of their own making gain callers nothing: addresses count as far as `TRUST_PROXY` says.',
    defect: 'every proxy is believed',
    file: 'packages/server/src/create-app.ts',
    from: 'auth.settings.http.trustProxy ?? false',
    to: 'true',
  },
  {
    promise:
      'Asking for a password reset tells nobody who has an account, and sends at most three mails at once to one.',
    defect: 'only a known email is audited',
    file: 'packages/core/src/password-reset/password-reset-service.ts',
    from: '    const user = await this.#users.findByEmail(email);\n',
    to: "    const user = await this.#users.findByEmail(email);\n    if (!user) return { status: 'ok' };\n",
  },
  {
    promise:
      'A reset link works once, for a while, and ends what the old password opened: sessions, passkeys, other links. It opens no closed account.',
    defect: 'a reset removes the passkeys of everybody',
    file: 'packages/core/src/passkeys/passkey-repository.ts',
    from: "return trx('passkey_credentials').where({ user_id: userId }).delete();",
    to: "return trx('passkey_credentials').delete();",
  },
  {
    promise:
      'A reset link works once, for a while, and ends what the old password opened: sessions, passkeys, other links. It opens no closed account.',
    defect: 'a reset link works twice',
    file: 'packages/core/src/password-reset/password-reset-repository.ts',
    from: ".update({ used_at: trx.raw('now()') });",
    to: '.update({ used_at: null });',
  },
];

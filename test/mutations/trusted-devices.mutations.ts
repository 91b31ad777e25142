import type { Mutation } from './mutation.js';

const SECRET =
  'A browser takes the place of a second factor only with the secret of a trust of that user that has not ended, in cookie mode, and the database has no such secret.';
const LEVEL =
  'A session that a trusted device made has one factor: a company, a step-up and staff rights still ask for the second one.';
const ENDS =
  'Trust in a device ends with a change of the password, of the factors or of the role, with the end of all sessions, a recovery code, a reused refresh token, and the removal by the user or staff.';
const OWN =
  'The trust of one user in a browser is worth nothing to another, and the sign-in of another leaves it as it is.';

const REPOSITORY = 'packages/core/src/trusted-devices/trusted-device-repository.ts';
const SERVICE = 'packages/core/src/trusted-devices/trusted-device-service.ts';
const REVOKER = 'packages/core/src/sessions/session-revoker.ts';
const SIGN_IN = 'packages/core/src/second-factor/second-factor-sign-in.ts';

/** Defects in trusted devices. */
export const trustedDeviceMutations: readonly Mutation[] = [
  {
    promise: SECRET,
    defect: 'trust does not expire',
    file: REPOSITORY,
    from: 'const IS_LIVE = `t.expires_at > now() AND ',
    to: 'const IS_LIVE = `',
  },
  {
    promise: SECRET,
    defect: 'a client that keeps no cookie can trust a device',
    file: SIGN_IN,
    from: 'if (trust && !trustedDevices)',
    to: 'if (trust && trustedDevices === null)',
  },
  {
    promise: LEVEL,
    defect: 'staff who must have a factor can trust a device',
    file: 'packages/core/src/second-factor/factor-policy.ts',
    from: 'return isStaff(user.globalRole) && this.isRequiredOf(user) ? 0 :',
    to: 'return isStaff(user.globalRole) && !this.isRequiredOf(user) ? 0 :',
  },
  {
    promise: ENDS,
    defect: 'the end of all sessions leaves trusted devices',
    file: REVOKER,
    from: 'await this.#deps.trustedDeviceRemoval.removeAllWithin({ userId, reason, actor, client }, trx);\n    const revoked = await this.#deps.sessions.revokeAllOf',
    to: 'const revoked = await this.#deps.sessions.revokeAllOf',
  },
  {
    promise: ENDS,
    defect: 'a linked account leaves trusted devices',
    file: 'packages/core/src/external-sign-in/identity-addition.ts',
    from: '    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);\n',
    to: '',
  },
  {
    promise: ENDS,
    defect: 'a reused refresh token leaves trusted devices',
    file: REVOKER,
    from: "if (reason === 'refresh_reuse')",
    to: "if (reason === 'logout_all')",
  },
  {
    promise: ENDS,
    defect: 'a recovery code leaves trusted devices',
    file: SIGN_IN,
    from: 'if (kind.isBackup) await this.#endTrust',
    to: 'if (!kind.isBackup) await this.#endTrust',
  },
  {
    promise: ENDS,
    defect: 'a recovery code of a step-up leaves trusted devices',
    file: 'packages/core/src/step-up/identity-prover.ts',
    from: 'if (kind.isBackup) await this.#endTrust',
    to: 'if (!kind.isBackup) await this.#endTrust',
  },
  {
    promise: OWN,
    defect: 'the secret of another user is accepted',
    file: REPOSITORY,
    from: 'WHERE t.user_id = u.id AND t.secret_digest = ANY',
    to: 'WHERE t.secret_digest = ANY',
  },
  {
    promise: OWN,
    defect: 'a browser forgets the secrets of other users',
    file: SERVICE,
    from: 'live.some((one) => digestsEqual(one, digest))',
    to: 'live.length < 0 && digestsEqual(digest, digest)',
  },
];

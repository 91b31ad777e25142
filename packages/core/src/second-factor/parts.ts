import { ValueCipher } from '../encryption/value-cipher.js';
import { CodeGuesses } from '../factors/code-guesses.js';
import type { FactorKind } from '../factors/factor-kind.js';
import type { FactorStateQueries } from '../factors/factor-state-queries.js';
import { FactorVerifier } from '../factors/factor-verifier.js';
import { RecoveryCodeKind } from '../factors/kinds/recovery-code/recovery-code-kind.js';
import type { RecoveryCodeRepository } from '../factors/kinds/recovery-code/recovery-code-repository.js';
import { TotpEnroller } from '../factors/kinds/totp/totp-enroller.js';
import { TotpKind } from '../factors/kinds/totp/totp-kind.js';
import type { TotpRepository } from '../factors/kinds/totp/totp-repository.js';
import { made, withOthers, type PartsOf } from '../kernel/assemble.js';
import type { SecondFactorCheck } from '../sessions/sign-in-completer.js';
import { requiresStaffFactor } from '../settings/second-factor-mode.js';
import type { Configured, Settings } from '../settings/settings.js';
import type { Transaction } from '../storage/database.js';
import { TrustedDeviceService } from '../trusted-devices/trusted-device-service.js';
import { ChallengedSignIn } from './challenged-sign-in.js';
import { FactorPolicy } from './factor-policy.js';
import { FactorService } from './factor-service.js';
import { SecondFactorRequirement } from './second-factor-requirement.js';
import { SecondFactorSignIn } from './second-factor-sign-in.js';

/** Completes every sign-in without a second factor. */
const noSecondFactor: SecondFactorCheck = () => Promise.resolve(undefined);

export interface KindParts {
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
}

export interface PolicyParts extends Configured {
  readonly factorKinds: readonly FactorKind[];
}

export interface StateParts {
  readonly factorPolicy: FactorPolicy;
  readonly factorStates: FactorStateQueries;
}

export interface CheckParts {
  readonly factorCipher: ValueCipher | undefined;
  readonly requirement: SecondFactorRequirement;
}

type VerifierParts = Omit<PartsOf<typeof FactorVerifier>, 'cipher'> & Pick<CheckParts, 'factorCipher'>;

type TrustParts = Configured &
  Pick<CheckParts, 'factorCipher'> &
  Omit<PartsOf<typeof TrustedDeviceService>, 'days'>;

type ServiceParts = Configured &
  Pick<CheckParts, 'factorCipher'> & { readonly factorVerifier: FactorVerifier | undefined } & Omit<
    PartsOf<typeof TotpEnroller> & PartsOf<typeof FactorService> & PartsOf<typeof SecondFactorSignIn>,
    'cipher' | 'issuer' | 'enroller' | 'factorVerifier'
  >;

/** What decides who needs and who has a second factor, and what verifies them. */
export const secondFactorParts = {
  /** Every kind that is proved by a code, in the order in which they are offered. */
  factorKinds: ({ totp, recoveryCodes }: KindParts): readonly FactorKind[] => [
    new TotpKind(totp),
    new RecoveryCodeKind(recoveryCodes),
  ],
  guesses: made(CodeGuesses),
  factorPolicy: ({ settings, factorKinds: kinds }: PolicyParts) =>
    new FactorPolicy({
      mode: modeOf(settings),
      passkeysEnabled: settings.passkeys.enabled,
      trustedDeviceDays: settings.trustedDevices.days,
      kinds,
    }),
  hasFactor:
    ({ factorPolicy, factorStates }: StateParts) =>
    async (userId: string, trx?: Transaction): Promise<boolean> =>
      factorPolicy.hasFactor(await factorStates.read(userId, trx)),
  staffNeedsSecondFactor: ({ settings }: Configured) => requiresStaffFactor(settings.secondFactor.mode),
  requirement: made(SecondFactorRequirement),
  secondFactorCheck: ({ factorCipher, requirement }: CheckParts): SecondFactorCheck =>
    factorCipher ? requirement.check : noSecondFactor,
  factorCipher: cipherOf,
  factorVerifier: (parts: VerifierParts) =>
    parts.factorCipher && new FactorVerifier(withOthers(parts, { cipher: parts.factorCipher })),
  challengedSignIn: made(ChallengedSignIn),
  /** Undefined while no device can be trusted. */
  trustedDeviceService: (parts: TrustParts) => {
    const { days } = parts.settings.trustedDevices;
    return days > 0 && parts.factorCipher ? new TrustedDeviceService(withOthers(parts, { days })) : undefined;
  },
  factors: servicesOf,
};

/**
 * Second factors are off by default where no key is known: an app that embeds the service outside production has none unless it
 * sets one.
 */
function modeOf({ secondFactor: { mode }, encryption, environment }: Settings): FactorPolicy['mode'] {
  const isOff = mode === 'optional' && encryption.keys === undefined && environment !== 'production';
  return isOff ? 'off' : mode;
}

/** Returns undefined while second factors are off. @throws TypeError when they are required without a key. */
function cipherOf({
  settings,
  factorPolicy,
}: Configured & { readonly factorPolicy: FactorPolicy }): ValueCipher | undefined {
  if (factorPolicy.mode === 'off') return undefined;
  const { keys } = settings.encryption;
  if (keys === undefined) {
    throw new TypeError('createAuth: settings.encryption.keys is needed (ENCRYPTION_KEYS)');
  }
  return new ValueCipher(keys.reveal());
}

/** Returns undefined while second factors are off. */
function servicesOf(parts: ServiceParts) {
  const { factorCipher: cipher, factorVerifier } = parts;
  if (!cipher || !factorVerifier) return undefined;
  const verifying = withOthers(parts, { cipher, factorVerifier, issuer: parts.settings.brand.name });
  const enrolling = withOthers(verifying, { enroller: new TotpEnroller(verifying) });
  return {
    own: new FactorService(enrolling),
    signIn: new SecondFactorSignIn(enrolling),
    verifier: factorVerifier,
  };
}

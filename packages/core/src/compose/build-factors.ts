import { ValueCipher } from '../encryption/value-cipher.js';
import type { CodeGuesses } from '../factors/code-guesses.js';
import { FactorVerifier } from '../factors/factor-verifier.js';
import { TotpEnroller } from '../factors/totp-enroller.js';
import type { Observer } from '../kernel/observer.js';
import type { ConfirmationService } from '../login/confirmation-service.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ChallengedSignIn } from '../second-factor/challenged-sign-in.js';
import { FactorPolicy } from '../second-factor/factor-policy.js';
import { FactorService } from '../second-factor/factor-service.js';
import { SecondFactorRequirement } from '../second-factor/second-factor-requirement.js';
import { SecondFactorSignIn } from '../second-factor/second-factor-sign-in.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { FirstFactor } from '../sessions/first-factor.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { SecondFactorMode } from '../settings/second-factor-mode.js';
import type { Settings } from '../settings/settings.js';
import type { Factors } from './auth.js';
import type { Repositories } from './repositories.js';

/** The parts of second factors that decide and verify. */
export interface FactorParts {
  readonly mode: Exclude<SecondFactorMode, 'off'>;
  readonly policy: FactorPolicy;
  readonly cipher: ValueCipher;
  readonly factorVerifier: FactorVerifier;
  readonly requirement: SecondFactorRequirement;
}

/** Returns whether the rights of platform staff require a second factor. */
export const requiresStaffFactor = ({ secondFactor: { mode } }: Settings): boolean =>
  mode === 'staff' || mode === 'all';

/**
 * Builds what decides who needs and who has a second factor. Second factors are off by default where no key is known: an app
 * that embeds the service outside production has none unless it sets one.
 */
export function buildFactorPolicy({ secondFactor, passkeys, environment }: Settings): FactorPolicy {
  const { mode, encryptionKeys } = secondFactor;
  const isOff = mode === 'optional' && encryptionKeys === undefined && environment !== 'production';
  return new FactorPolicy({ mode: isOff ? 'off' : mode, passkeysEnabled: passkeys.enabled });
}

/**
 * Builds what verifies second factors. Returns undefined while they are off.
 * @throws TypeError when they are required without a key.
 */
export function buildFactorParts(
  settings: Settings,
  repositories: Repositories,
  policy: FactorPolicy,
  guesses: CodeGuesses,
): FactorParts | undefined {
  const { encryptionKeys } = settings.secondFactor;
  const { mode } = policy;
  if (mode === 'off') return undefined;
  if (encryptionKeys === undefined) {
    throw new TypeError(
      'createAuth: settings.secondFactor.encryptionKeys is needed (FACTOR_ENCRYPTION_KEYS)',
    );
  }
  const cipher = new ValueCipher(encryptionKeys.reveal());
  return {
    mode,
    policy,
    cipher,
    factorVerifier: new FactorVerifier({ ...repositories, cipher, guesses }),
    requirement: new SecondFactorRequirement({ ...repositories, policy }),
  };
}

interface FactorsDeps {
  readonly repositories: Repositories;
  readonly credentialStepUp: CredentialStepUp;
  readonly firstFactor: FirstFactor;
  readonly confirmations: ConfirmationService;
  readonly throttle: AccountThrottle;
  readonly sessionCreator: SessionCreator;
  readonly outbox: Outbox;
  readonly notices: SecurityNotices;
  readonly observer: Observer;
}

/** Builds the services for second factors. */
export function buildFactors(
  settings: Settings,
  parts: FactorParts,
  { repositories, ...deps }: FactorsDeps,
): Factors {
  const shared = {
    ...repositories,
    ...deps,
    ...parts,
  };
  const enroller = new TotpEnroller({ ...shared, issuer: settings.brand.name });
  const challengedSignIn = new ChallengedSignIn(shared);
  return {
    own: new FactorService({ ...shared, enroller }),
    signIn: new SecondFactorSignIn({ ...shared, enroller, challengedSignIn }),
    verifier: parts.factorVerifier,
  };
}

import { ValueCipher } from '../encryption/value-cipher.js';
import { CodeGuesses } from '../factors/code-guesses.js';
import type { FactorKind } from '../factors/factor-kind.js';
import { FactorVerifier } from '../factors/factor-verifier.js';
import { RecoveryCodeKind } from '../factors/kinds/recovery-code/recovery-code-kind.js';
import { TotpEnroller } from '../factors/kinds/totp/totp-enroller.js';
import { TotpKind } from '../factors/kinds/totp/totp-kind.js';
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
import type { Transaction } from '../storage/database.js';
import type { Factors } from './auth.js';
import type { Repositories } from './repositories.js';

/** What verifies second factors. */
export interface FactorParts {
  readonly mode: Exclude<SecondFactorMode, 'off'>;
  readonly cipher: ValueCipher;
  readonly factorVerifier: FactorVerifier;
  readonly requirement: SecondFactorRequirement;
}

/** What is known of second factors also while they are off. */
export interface FactorBasis {
  readonly factorKinds: readonly FactorKind[];
  readonly factorPolicy: FactorPolicy;
  readonly guesses: CodeGuesses;
  /** Returns whether a user has a second factor of any kind. */
  readonly hasFactor: (userId: string, trx?: Transaction) => Promise<boolean>;
  /** Undefined while second factors are off. */
  readonly parts: FactorParts | undefined;
}

/** Creates every kind of second factor that is proved by a code, in the order in which they are offered. */
export const createFactorKinds = ({
  totp,
  recoveryCodes,
}: Pick<Repositories, 'totp' | 'recoveryCodes'>): readonly FactorKind[] => [
  new TotpKind(totp),
  new RecoveryCodeKind(recoveryCodes),
];

/** Returns whether the rights of platform staff require a second factor. */
export const requiresStaffFactor = ({ secondFactor: { mode } }: Settings): boolean =>
  mode === 'staff' || mode === 'all';

/**
 * Builds what decides who needs and who has a second factor, and what verifies them.
 * @throws TypeError when they are required without a key.
 */
export function buildFactorBasis(
  settings: Settings,
  deps: Repositories & { readonly notices: SecurityNotices },
): FactorBasis {
  const factorKinds = createFactorKinds(deps);
  const factorPolicy = buildFactorPolicy(settings, factorKinds);
  const guesses = new CodeGuesses(deps);
  return {
    factorKinds,
    factorPolicy,
    guesses,
    hasFactor: async (userId, trx) => factorPolicy.hasFactor(await deps.factorStates.read(userId, trx)),
    parts: buildFactorParts(settings, { ...deps, factorKinds, factorPolicy, guesses }),
  };
}

/**
 * Second factors are off by default where no key is known: an app that embeds the service outside production has none unless it
 * sets one.
 */
function buildFactorPolicy(
  { secondFactor, passkeys, environment }: Settings,
  kinds: readonly FactorKind[],
): FactorPolicy {
  const { mode, encryptionKeys } = secondFactor;
  const isOff = mode === 'optional' && encryptionKeys === undefined && environment !== 'production';
  return new FactorPolicy({ mode: isOff ? 'off' : mode, passkeysEnabled: passkeys.enabled, kinds });
}

function buildFactorParts(
  settings: Settings,
  deps: Repositories & Pick<FactorBasis, 'factorKinds' | 'factorPolicy' | 'guesses'>,
): FactorParts | undefined {
  const { encryptionKeys } = settings.secondFactor;
  const { mode } = deps.factorPolicy;
  if (mode === 'off') return undefined;
  if (encryptionKeys === undefined) {
    throw new TypeError(
      'createAuth: settings.secondFactor.encryptionKeys is needed (FACTOR_ENCRYPTION_KEYS)',
    );
  }
  const cipher = new ValueCipher(encryptionKeys.reveal());
  return {
    mode,
    cipher,
    factorVerifier: new FactorVerifier({ ...deps, cipher }),
    requirement: new SecondFactorRequirement(deps),
  };
}

interface FactorsDeps {
  readonly repositories: Repositories;
  readonly credentialStepUp: CredentialStepUp;
  readonly firstFactor: FirstFactor;
  readonly confirmations: ConfirmationService;
  readonly throttle: AccountThrottle;
  readonly guesses: CodeGuesses;
  readonly factorKinds: readonly FactorKind[];
  readonly factorPolicy: FactorPolicy;
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

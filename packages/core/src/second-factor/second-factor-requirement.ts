import type { ChallengeRepository } from '../factors/challenge-repository.js';
import { CHALLENGE_PREFIX, CHALLENGE_SECONDS } from '../factors/challenge.js';
import type { FactorState, FactorStateQueries } from '../factors/factor-state-queries.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf, generateSecret } from '../kernel/secret.js';
import { accountChanged } from '../sessions/account-changed.js';
import type { VerifiedSignIn } from '../sessions/session-creator.js';
import type { SecondFactorCheck } from '../sessions/sign-in-completer.js';
import type { SecondFactorRequired } from '../sessions/sign-in-schema.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import type { FactorPolicy } from './factor-policy.js';

interface SecondFactorRequirementDeps {
  readonly factorStates: FactorStateQueries;
  readonly challenges: ChallengeRepository;
  readonly factorPolicy: FactorPolicy;
  readonly trustedDevices: TrustedDeviceRepository;
  readonly observer: Pick<Observer, 'secondFactor'>;
}

/** Decides whether a verified sign-in is complete, and issues a challenge if it is not. */
export class SecondFactorRequirement {
  readonly #deps: SecondFactorRequirementDeps;

  constructor(deps: SecondFactorRequirementDeps) {
    this.#deps = deps;
  }

  readonly check: SecondFactorCheck = async (signIn, client, trx) => {
    const state = await this.#deps.factorStates.read(signIn.user.id, trx);
    if (!this.#deps.factorPolicy.needsSecondFactor(signIn.user, state)) {
      return { factorVersion: state.factorVersion };
    }
    const days = client.trustedDevices ? this.#deps.factorPolicy.trustedDeviceDaysOf(signIn.user) : 0;
    const trustedDeviceId = days > 0 && trx && (await this.#trustedDevice(signIn, client, trx));
    if (trustedDeviceId) {
      this.#deps.observer.secondFactor('trusted_device', 'success');
      return { factorVersion: state.factorVersion, details: { trustedDeviceId } };
    }
    const required = await this.#challenge(signIn, state, trx);
    return days > 0 ? withOffer(required, days) : required;
  };

  /** Returns the id of the trusted device of the sign-in, and locks the user; undefined if the browser has no secret of the user. */
  async #trustedDevice(
    { user }: VerifiedSignIn,
    { trustedDevices = [], ipAddress }: ClientInfo,
    trx: Transaction,
  ): Promise<string | undefined> {
    if (trustedDevices.length === 0) return undefined;
    const secretDigests = trustedDevices.map((secret) => digestOf(secret));
    return this.#deps.trustedDevices.use(user.id, { secretDigests, ipAddress }, trx);
  }

  /** The challenge is bound to what was verified, and to the factors that were read. */
  async #challenge(
    { user, origin, amr, method, passwordHash, external }: VerifiedSignIn,
    state: FactorState,
    trx: Transaction | undefined,
  ): Promise<SecondFactorRequired> {
    const challenge = generateSecret(CHALLENGE_PREFIX);
    const methods = this.#deps.factorPolicy.methodsOf(state);
    const enrols = methods.length === 0;
    const isInserted = await this.#deps.challenges.insert(
      {
        userId: user.id,
        digest: digestOf(challenge),
        origin,
        amr,
        method: method ?? origin,
        external,
        tokenVersion: user.tokenVersion,
        passwordHash,
        factorVersion: state.factorVersion,
        enrols,
      },
      trx,
    );
    if (!isInserted) throw accountChanged();
    const secondFactor = { challenge, methods, expiresIn: CHALLENGE_SECONDS };
    return { secondFactor: { ...secondFactor, ...(enrols && { enrol: true }) } };
  }
}

/** Adds the offer to trust this device, which a user who has to set up a factor first does not get. */
const withOffer = (
  { secondFactor }: SecondFactorRequired,
  trustDeviceDays: number,
): SecondFactorRequired => ({
  secondFactor: secondFactor.enrol ? secondFactor : { ...secondFactor, trustDeviceDays },
});

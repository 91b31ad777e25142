import { IdentityProver, type IdentityProverDeps } from '../step-up/identity-prover.js';
import { SessionRaiser, type SessionRaiserDeps } from '../step-up/session-raiser.js';
import { StepUpService, type StepUpServiceDeps } from '../step-up/step-up-service.js';

/** Builds the service that proves identities again. */
export const buildStepUp = (
  deps: Omit<StepUpServiceDeps, 'prover' | 'raiser'> & IdentityProverDeps & SessionRaiserDeps,
): StepUpService =>
  new StepUpService({ ...deps, prover: new IdentityProver(deps), raiser: new SessionRaiser(deps) });

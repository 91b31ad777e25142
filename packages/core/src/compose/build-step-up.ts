import { IdentityProver, type IdentityProverDeps } from '../step-up/identity-prover.js';
import { StepUpService, type StepUpServiceDeps } from '../step-up/step-up-service.js';

/** Builds the service that proves identities again. */
export const buildStepUp = (deps: Omit<StepUpServiceDeps, 'prover'> & IdentityProverDeps): StepUpService =>
  new StepUpService({ ...deps, prover: new IdentityProver(deps) });

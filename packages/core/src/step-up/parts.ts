import { made } from '../kernel/assemble.js';
import { IdentityProver } from './identity-prover.js';
import { SessionRaiser } from './session-raiser.js';
import { StepUpService } from './step-up-service.js';

/** What proves identities again. */
export const stepUpParts = {
  prover: made(IdentityProver),
  raiser: made(SessionRaiser),
  stepUp: made(StepUpService),
};

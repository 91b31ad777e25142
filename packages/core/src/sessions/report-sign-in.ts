import type { SignInOutcome } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';

/** Returns the result or throws the error of a sign-in, unchanged, after its outcome was reported. */
export const reportSignIn = <T extends object>(
  signIn: Promise<T>,
  report: (outcome: SignInOutcome) => void,
): Promise<T> =>
  reportOutcome(signIn, (outcome, result) => {
    report(result && 'secondFactor' in result ? 'second_factor_required' : outcome);
  });

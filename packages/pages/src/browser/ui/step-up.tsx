import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';
import type { TransportError } from '@latchkey/client';
import type { Failure } from '../failure.js';
import { StepUpDialog } from './step-up-dialog.js';

interface Outcome {
  ok: boolean;
  error?: Failure | undefined;
}

/** The outcome of an action whose step-up the user has cancelled. */
interface Cancelled {
  ok: false;
  data?: undefined;
  error: TransportError;
  response: undefined;
}

/**
 * Runs an action. If the service wants a fresh sign-in for it, asks the user for one and repeats the action. The code of a
 * cancelled one is `aborted`, which needs no text.
 */
type Guarded = <Result extends Outcome>(action: () => Promise<Result>) => Promise<Result | Cancelled>;

const CANCELLED: Cancelled = {
  ok: false,
  error: { code: 'aborted', message: 'The step-up was cancelled.', cause: undefined },
  response: undefined,
};

/** A proof of another kind may be wanted after the first: a recent sign-in, then a second factor. */
const MOST_STEP_UPS = 2;

const GuardContext = createContext<Guarded>((action) => action());

/** Returns the function that runs actions which may need a fresh sign-in. */
export const useGuarded = (): Guarded => useContext(GuardContext);

/** Shows the dialog for a fresh sign-in when an action needs one. */
export function StepUpProvider({
  email,
  children,
}: {
  /** The email of the signed-in user, for password managers. */
  email: string;
  children: ComponentChildren;
}): VNode {
  const [request, setRequest] = useState<{ needsFactor: boolean; answer: (isRaised: boolean) => void }>();
  const guarded = useCallback<Guarded>(async (action) => {
    let result = await action();
    for (let asked = 0; asked < MOST_STEP_UPS && isTooOld(result); asked++) {
      const needsFactor = isFactorMissing(result);
      const isRaised = await new Promise<boolean>((answer) => setRequest({ needsFactor, answer }));
      setRequest(undefined);
      if (!isRaised) return CANCELLED;
      result = await action();
    }
    return result;
  }, []);
  return (
    <GuardContext.Provider value={guarded}>
      {children}
      {request && <StepUpDialog email={email} needsFactor={request.needsFactor} onAnswer={request.answer} />}
    </GuardContext.Provider>
  );
}

const isTooOld = ({ error }: Outcome): boolean => error?.code === 'reauthentication_required';

const isFactorMissing = ({ error }: Outcome): boolean =>
  error !== undefined && 'reason' in error && error.reason === 'second_factor_missing';

import { failureText } from './failure.js';
import { ask, askForStepUp, toast, type Answers, type Question } from './overlay-store.js';
import type { Outcome } from './use-query.js';

/** A proof of another kind may be needed after the first: a recent sign-in, then a second factor. */
const MOST_STEP_UPS = 2;

/** Takes an action, if needed after another proof of identity, and reports its outcome. */
async function perform<Data>(
  request: () => Promise<Outcome<Data>>,
  done: string | ((data: Data) => string),
): Promise<boolean> {
  let outcome = await request();
  for (let asked = 0; asked < MOST_STEP_UPS && !outcome.ok; asked++) {
    if (outcome.error.code !== 'reauthentication_required') break;
    const needsFactor = outcome.error.reason === 'second_factor_missing';
    if (!(await askForStepUp(needsFactor))) return false;
    outcome = await request();
  }
  if (outcome.ok) toast(typeof done === 'string' ? done : done(outcome.data));
  else toast(failureText(outcome.error), true);
  return outcome.ok;
}

/** Asks, then takes the action. @returns whether it was taken. */
export async function confirmed<Data>(
  question: Question,
  request: (answers: Answers) => Promise<Outcome<Data>>,
  done: string | ((data: Data) => string),
): Promise<boolean> {
  const answers = await ask(question);
  return answers !== undefined && perform(() => request(answers), done);
}

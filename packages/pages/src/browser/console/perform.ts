import { fieldText } from '../failure-text.js';
import { faultsOf, type Failure } from '../failure.js';
import { failureText } from './failure.js';
import {
  ask,
  askForStepUp,
  showSecret,
  toast,
  type Answers,
  type Problem,
  type Question,
  type ShownSecret,
} from './overlay-store.js';
import type { Outcome } from './use-query.js';

/** A proof of another kind may be needed after the first: a recent sign-in, then a second factor. */
const MOST_STEP_UPS = 2;

/** Takes an action, if needed after another proof of identity. @returns undefined if that proof was not given. */
export async function proved<Data>(
  request: () => Promise<Outcome<Data>>,
): Promise<Outcome<Data> | undefined> {
  let outcome = await request();
  for (let asked = 0; asked < MOST_STEP_UPS && !outcome.ok; asked++) {
    if (outcome.error.code !== 'reauthentication_required') break;
    const needsFactor = outcome.error.reason === 'second_factor_missing';
    if (!(await askForStepUp(needsFactor))) return undefined;
    outcome = await request();
  }
  return outcome;
}

/**
 * Asks, then takes the action. The dialog stays with its input until the action is taken, and shows what failed.
 * @returns whether it was taken.
 */
export async function confirmed<Data>(
  question: Question,
  request: (answers: Answers) => Promise<Outcome<Data>>,
  done: string | ((data: Data) => string),
): Promise<boolean> {
  let text = '';
  const isDone = await ask(question, async (answers) => {
    const outcome = await proved(() => request(answers));
    if (!outcome) return {};
    if (!outcome.ok) {
      return (await question.explain?.(outcome.error, answers)) ?? problemOf(question, outcome.error);
    }
    text = typeof done === 'string' ? done : done(outcome.data);
    return undefined;
  });
  if (isDone) toast(text);
  return isDone;
}

/**
 * Asks, takes the action, and shows the secret that it has made, once.
 * @returns whether it was taken.
 */
export async function confirmedSecret<Data>(
  question: Question,
  request: (answers: Answers) => Promise<Outcome<Data>>,
  shown: (data: Data) => ShownSecret,
  done: string,
): Promise<boolean> {
  let made: ShownSecret | undefined;
  const isDone = await confirmed(question, request, (data) => {
    made = shown(data);
    return done;
  });
  if (made) await showSecret(made);
  return isDone;
}

/** Returns a text for each field that the service names, or one for the whole action. */
function problemOf({ fields = [] }: Question, failure: Failure): Problem {
  const faults = faultsOf(failure);
  const named = fields.flatMap(({ name }) => {
    const fault = faults.find(({ pointer }) => pointer === `/${name}`);
    return fault ? [[name, { text: fieldText(fault) }] as const] : [];
  });
  return named.length === 0 ? { text: failureText(failure) } : { fields: Object.fromEntries(named) };
}

import { useEffect, useRef, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { announce } from '../announce.js';
import { countDown } from '../count-down.js';
import { failureText, fieldText, noticeKindOf } from '../failure-text.js';
import { faultsOf, isLimited, secondsToWait, type Failure } from '../failure.js';
import { isDismissed } from '../passkey.js';

type Values<Name extends string> = Readonly<Record<Name, string>>;
type Errors<Name extends string> = Partial<Record<Name, string>>;

/** The kind of a notice above a form. */
type NoticeKind = 'error' | 'info' | 'success';

/** The text of a failure: beside a field, or above the form without one. */
export interface Explanation<Name extends string> {
  field?: Name;
  text: string;
}

interface FormOptions<Name extends string> {
  /** The fields with their values at first. */
  initial: Values<Name>;
  /** Sends the values. A failure is shown, and what was typed stays. */
  submit: (values: Values<Name>) => Promise<Failure | undefined>;
  /** Returns the text of a failure that means something else here than everywhere. */
  explain?: (failure: Failure) => Explanation<Name> | undefined;
}

/** The state of a form: its values, what is wrong with them, and whether it is being sent. */
export interface FormState<Name extends string> {
  values: Values<Name>;
  errors: Errors<Name>;
  /** What concerns the whole form; empty if nothing does. */
  notice: string;
  kind: NoticeKind;
  /** True while the notice counts down the seconds of a rate limit. */
  isCounting: boolean;
  /** The failure of the last attempt. */
  failure: Failure | undefined;
  isBusy: boolean;
  /** True while a rate limit lasts. */
  isLimited: boolean;
  /** How often it was submitted. */
  attempts: number;
  /** Sets a value. Its error disappears: it concerned the value before. */
  set: (name: Name, value: string) => void;
  /** Submits the form once its fields are valid, one run at a time. */
  submit: (element: HTMLFormElement) => Promise<void>;
  /** Shows a notice; an empty text removes it. */
  say: (text: string, kind?: NoticeKind) => void;
  /** Shows a failure as if the form had been sent. */
  fail: (failure: Failure) => void;
  /** Restores values and forgets errors. */
  reset: (values?: Values<Name>) => void;
}

interface Outcome<Name extends string> {
  errors: Errors<Name>;
  notice: string;
  kind: NoticeKind;
  isCounting: boolean;
  failure: Failure | undefined;
  /** The rate limit, as long as it lasts. */
  limit: { seconds: number } | undefined;
}

const NOTHING = {
  errors: {},
  notice: '',
  kind: 'error',
  isCounting: false,
  failure: undefined,
  limit: undefined,
} as const;

/** Keeps the state of a form. */
export function useForm<Name extends string>({
  initial,
  submit,
  explain,
}: FormOptions<Name>): FormState<Name> {
  const [values, setValues] = useState(initial);
  const [outcome, setOutcome] = useOutcome<Name>();
  const [attempts, setAttempts] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const fail = (failure: Failure): void =>
    setOutcome(outcomeOf(failure, Object.keys(initial), explain?.(failure)));

  /** After success the form is left as it is: the effects of success may have changed it. */
  const send = async (element: HTMLFormElement): Promise<void> => {
    const errors = errorsOf<Name>(element);
    if (Object.keys(errors).length > 0) {
      // Nothing was sent, so what was said before still holds.
      setOutcome((before) => ({ ...before, errors }));
    } else {
      setOutcome(NOTHING);
      const failure = await submit({ ...values, ...typedIn<Name>(element) });
      if (failure) fail(failure);
    }
  };

  const run = async (element: HTMLFormElement): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await send(element).finally(() => {
      setBusy((isRunning.current = false));
      setAttempts((count) => count + 1);
    });
  };

  return {
    values,
    ...outcome,
    isBusy,
    isLimited: outcome.limit !== undefined,
    attempts,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setOutcome((before) => ({ ...before, errors: { ...before.errors, [name]: '' } }));
    },
    submit: run,
    say: (notice, kind = 'error') => setOutcome((before) => ({ ...before, ...noticeOf(notice, kind) })),
    fail,
    reset: (wanted = initial) => {
      setValues(wanted);
      setOutcome(NOTHING);
    },
  };
}

/** Returns what a notice changes: it takes the place of the one that counts. */
const noticeOf = (notice: string, kind: NoticeKind) =>
  ({ notice, kind, isCounting: false, failure: undefined }) as const;

/** Keeps what is wrong. The seconds of a rate limit are counted down, and its notice disappears with it. */
function useOutcome<Name extends string>(): [Outcome<Name>, Dispatch<StateUpdater<Outcome<Name>>>] {
  const [outcome, setOutcome] = useState<Outcome<Name>>(NOTHING);
  const { limit } = outcome;
  useEffect(() => {
    if (!limit) return undefined;
    const tick = (left: number): void => {
      if (left < limit.seconds) setOutcome((before) => counted(before, left));
    };
    return countDown(limit.seconds, tick, () => {
      setOutcome(NOTHING);
      announce(messages.tryAgainNow);
    });
  }, [limit]);
  return [outcome, setOutcome];
}

/** Returns the notice with the seconds that are left, unless another one has taken its place. */
const counted = <Name extends string>(before: Outcome<Name>, left: number): Outcome<Name> =>
  before.failure && before.notice !== ''
    ? { ...before, notice: failureText(before.failure, left), isCounting: true }
    : before;

/** Returns what stands in the fields: a password manager may have filled them in unnoticed. */
const typedIn = <Name extends string>(element: HTMLFormElement): Partial<Values<Name>> =>
  Object.fromEntries([...new FormData(element)].filter(([, value]) => typeof value === 'string')) as Partial<
    Values<Name>
  >;

/** Returns what a failure means for a form: beside the fields it names, or else above the form. */
function outcomeOf<Name extends string>(
  failure: Failure,
  names: readonly string[],
  explanation: Explanation<Name> | undefined,
): Outcome<Name> {
  if (isDismissed(failure)) return NOTHING;
  const limit = isLimited(failure) ? { seconds: Math.max(secondsToWait(failure), 1) } : undefined;
  const wrong = { ...NOTHING, kind: noticeKindOf(failure), failure, limit };
  if (explanation) {
    const { field, text } = explanation;
    const errors = field === undefined ? {} : ({ [field]: text } as Errors<Name>);
    return { ...wrong, errors, notice: field === undefined ? text : '' };
  }
  const errors = faultErrors<Name>(failure, names);
  const isOfFields = Object.keys(errors).length > 0;
  return { ...wrong, errors, notice: isOfFields ? '' : failureText(failure) };
}

function faultErrors<Name extends string>(failure: Failure, names: readonly string[]): Errors<Name> {
  const errors: Record<string, string> = {};
  for (const fault of faultsOf(failure)) {
    const name = fault.pointer.slice(1);
    if (!names.includes(name)) continue;
    errors[name] = [errors[name], fieldText(fault)].filter(Boolean).join(' ');
  }
  return errors as Errors<Name>;
}

/** Returns what the browser finds wrong with the fields, in the words of the page. */
function errorsOf<Name extends string>(element: HTMLFormElement): Errors<Name> {
  const inputs = [...element.elements].filter((each) => each instanceof HTMLInputElement);
  const faulty = inputs.filter((input) => !input.checkValidity());
  return Object.fromEntries(faulty.map((input) => [input.name, validationText(input)])) as Errors<Name>;
}

function validationText({ name, validity, minLength, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return messages.missing(name);
  if (validity.tooShort) return messages.tooShort(minLength);
  if (validity.typeMismatch) return messages.invalidEmail;
  return validationMessage;
}

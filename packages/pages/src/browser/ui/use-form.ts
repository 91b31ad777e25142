import { useEffect, useRef, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { failureText, fieldText } from '../failure-text.js';
import { faultsOf, isLimited, secondsToWait, type Failure } from '../failure.js';
import { isDismissed } from '../passkey.js';

type Values<Name extends string> = Readonly<Record<Name, string>>;
type Errors<Name extends string> = Partial<Record<Name, string>>;

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
  isBusy: boolean;
  /** True while a rate limit lasts. */
  isLimited: boolean;
  /** How often it was submitted. */
  attempts: number;
  /** Sets a value. Its error disappears: it concerned the value before. */
  set: (name: Name, value: string) => void;
  /** Submits the form once its fields are valid, one run at a time. */
  submit: (element: HTMLFormElement) => Promise<void>;
  /** Restores values and forgets errors. */
  reset: (values?: Values<Name>) => void;
}

interface Outcome<Name extends string> {
  errors: Errors<Name>;
  notice: string;
  waitSeconds: number;
}

const NOTHING = { errors: {}, notice: '', waitSeconds: 0 };

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

  const send = async (element: HTMLFormElement): Promise<Outcome<Name>> => {
    const errors = errorsOf<Name>(element);
    if (Object.keys(errors).length > 0) return { ...NOTHING, errors };
    setOutcome(NOTHING);
    const failure = await submit(values);
    return failure ? outcomeOf(failure, element, explain?.(failure)) : NOTHING;
  };

  const run = async (element: HTMLFormElement): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      setOutcome(await send(element));
    } finally {
      isRunning.current = false;
      setBusy(false);
      setAttempts((count) => count + 1);
    }
  };

  return {
    values,
    ...outcome,
    isBusy,
    isLimited: outcome.waitSeconds > 0,
    attempts,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setOutcome((before) => ({ ...before, errors: { ...before.errors, [name]: '' } }));
    },
    submit: run,
    reset: (wanted = initial) => {
      setValues(wanted);
      setOutcome(NOTHING);
    },
  };
}

/** Keeps what is wrong. The failure of a rate limit disappears with it. */
function useOutcome<Name extends string>(): [Outcome<Name>, Dispatch<StateUpdater<Outcome<Name>>>] {
  const [outcome, setOutcome] = useState<Outcome<Name>>(NOTHING);
  useEffect(() => {
    if (outcome.waitSeconds === 0) return undefined;
    const timer = setTimeout(() => setOutcome(NOTHING), outcome.waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [outcome]);
  return [outcome, setOutcome];
}

/** Returns what a failure means for a form: beside the fields it names, or else above the form. */
function outcomeOf<Name extends string>(
  failure: Failure,
  element: HTMLFormElement,
  explanation: Explanation<Name> | undefined,
): Outcome<Name> {
  if (isDismissed(failure)) return NOTHING;
  const waitSeconds = isLimited(failure) ? Math.max(secondsToWait(failure), 1) : 0;
  if (explanation) {
    const { field, text } = explanation;
    const errors = field === undefined ? {} : ({ [field]: text } as Errors<Name>);
    return { errors, notice: field === undefined ? text : '', waitSeconds };
  }
  const errors = faultErrors<Name>(failure, element);
  const isOfFields = Object.keys(errors).length > 0;
  return { errors, notice: isOfFields ? '' : failureText(failure), waitSeconds };
}

function faultErrors<Name extends string>(failure: Failure, element: HTMLFormElement): Errors<Name> {
  const errors: Record<string, string> = {};
  for (const fault of faultsOf(failure)) {
    const name = fault.pointer.slice(1);
    if (!element.elements.namedItem(name)) continue;
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

function validationText({ validity, minLength, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return messages.required;
  if (validity.tooShort) return messages.tooShort(minLength);
  if (validity.typeMismatch) return messages.invalidEmail;
  return validationMessage;
}

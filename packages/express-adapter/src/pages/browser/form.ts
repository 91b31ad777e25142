import { busy } from './busy.js';
import { element } from './dom.js';
import { failureText, fieldText } from './failure-text.js';
import { faultsOf, isLimited, secondsToWait, type Failure, type FieldFault } from './failure.js';

/** Runs `work` when the form is submitted and its fields are valid, one run at a time. */
export function onSubmit(form: HTMLFormElement, work: (fields: FormFields) => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void busy(form, async () => {
      clearErrors(form);
      if (!showInvalidFields(form)) await work(new FormFields(form));
    });
  });
  // An error concerns the submitted value; it disappears when the value changes.
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) setFieldError(target, '');
  });
}

export class FormFields {
  readonly #data: FormData;

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form);
  }

  /** Returns the value of a field, unchanged. */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value : '';
  }
}

/** Shows a failure beside the fields it names, or else above the form. */
export function showFailure(form: HTMLFormElement, failure: Failure): void {
  const faults = faultsOf(failure);
  const faulty = inputsOf(form).filter((input) => showFaults(input, faults));
  if (faulty.length === 0) showNotice(form, failureText(failure));
  focusFirstError(form);
  if (isLimited(failure)) disableFor(secondsToWait(failure), form);
}

/** Shows an error beside the first field of a form, and selects its value, so that typing replaces it. */
export function showFieldError(form: HTMLFormElement, reason: string): void {
  const [input] = inputsOf(form);
  if (!input) return;
  setFieldError(input, reason);
  input.focus();
  input.select();
}

/** Shows the faults of a field beside it. @returns whether there are any. */
function showFaults(input: HTMLInputElement, faults: readonly FieldFault[]): boolean {
  const own = faults.filter(({ pointer }) => pointer === `/${input.name}`);
  if (own.length > 0) setFieldError(input, own.map(fieldText).join(' '));
  return own.length > 0;
}

/** Shows a text in the notice of a form or a view; an empty text hides the notice. */
export function showNotice(container: HTMLElement, text: string): void {
  const notice = element('.notice', HTMLElement, container);
  notice.textContent = text;
  notice.hidden = text === '';
}

/** Marks a field as invalid, or as valid with an empty reason. */
function setFieldError(input: HTMLInputElement, reason: string): void {
  const error = document.getElementById(`${input.id}-error`);
  if (!error) return;
  error.textContent = reason;
  error.hidden = reason === '';
  if (reason === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/** Empties a form, and forgets its errors and a limit: they concern what was submitted. */
export function resetForm(form: HTMLFormElement): void {
  form.reset();
  clearErrors(form);
  clearTimeout(timers.get(form));
  submitButtonOf(form).disabled = false;
}

function clearErrors(form: HTMLFormElement): void {
  showNotice(form, '');
  for (const input of inputsOf(form)) setFieldError(input, '');
}

function showInvalidFields(form: HTMLFormElement): boolean {
  const faulty = inputsOf(form).filter((input) => !input.checkValidity());
  for (const input of faulty) setFieldError(input, validationText(input));
  focusFirstError(form);
  return faulty.length > 0;
}

function validationText(input: HTMLInputElement): string {
  const label = input.labels?.[0]?.textContent ?? 'This field';
  if (input.validity.valueMissing) return `Enter your ${label.toLowerCase()}.`;
  if (input.validity.tooShort) return `Use at least ${input.minLength} characters.`;
  if (input.validity.typeMismatch) return 'Enter a valid email address.';
  return input.validationMessage;
}

function focusFirstError(form: HTMLFormElement): void {
  inputsOf(form)
    .find((input) => input.getAttribute('aria-invalid') === 'true')
    ?.focus();
}

const inputsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter((each) => each instanceof HTMLInputElement);

const submitButtonOf = (form: HTMLFormElement): HTMLButtonElement =>
  element('button[type=submit]', HTMLButtonElement, form);

/** The timer of each form until it can be submitted again. */
const timers = new WeakMap<HTMLFormElement, number>();

/** Disables the submit button for as long as the rate limit lasts. */
function disableFor(seconds: number, form: HTMLFormElement): void {
  const button = submitButtonOf(form);
  const enable = (): void => {
    button.disabled = false;
    showNotice(form, '');
  };
  button.disabled = true;
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(enable, Math.max(seconds, 1) * 1000));
}

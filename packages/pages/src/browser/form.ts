import { controlScriptMessages as messages } from '../messages/en/controls.js';
import { announce } from './announce.js';
import { busy } from './busy.js';
import { countDown } from './count-down.js';
import { element } from './dom.js';
import { failureText, fieldText, noticeKindOf } from './failure-text.js';
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
  if (faulty.length === 0) showNotice(form, failureText(failure), noticeKindOf(failure));
  focusFirstError(form);
  if (isLimited(failure)) disableWhileLimited(form, failure);
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

type NoticeKind = 'info' | 'success' | 'error';

/** Shows a text in the notice of a form or a view; an empty text hides the notice. */
export function showNotice(container: HTMLElement, text: string, kind: NoticeKind = 'error'): void {
  const notice = element('.notice', HTMLElement, container);
  notice.className = `notice ${kind}`;
  notice.removeAttribute('aria-live');
  notice.textContent = text;
  notice.hidden = text === '';
}

/** Marks a field as invalid, or as valid with an empty reason. */
function setFieldError(input: HTMLInputElement, reason: string): void {
  const error = document.getElementById(`${input.id}-error`);
  if (!error) return;
  error.textContent = reason;
  error.hidden = reason === '';
  // The rule says the same as the error.
  const rule = document.querySelector<HTMLElement>(`#${input.id}-hint.rule`);
  if (rule) rule.hidden = reason !== '';
  if (reason === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/** Empties a form, and forgets its errors and a limit: they concern what was submitted. */
export function resetForm(form: HTMLFormElement): void {
  form.reset();
  clearErrors(form);
  limits.get(form)?.();
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
  const label = input.labels?.[0]?.textContent ?? messages.thisField;
  if (input.validity.valueMissing) return messages.missing(label, input.name);
  if (input.validity.tooShort) return messages.tooShort(input.minLength);
  if (input.validity.typeMismatch) return messages.notAnEmail;
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

/** Ends the count-down of each limited form. */
const limits = new WeakMap<HTMLFormElement, () => void>();

/** Disables the submit button for as long as the rate limit lasts, and counts the seconds down. */
function disableWhileLimited(form: HTMLFormElement, failure: Failure): void {
  const button = submitButtonOf(form);
  const notice = element('.notice', HTMLElement, form);
  const seconds = Math.max(secondsToWait(failure), 1);
  let shown = notice.textContent;
  const tick = (left: number): void => {
    // Another notice may have taken its place.
    if (left === seconds || notice.textContent !== shown) return;
    // Screen readers announce the first text and the end, not each second.
    notice.setAttribute('aria-live', 'off');
    notice.textContent = shown = failureText(failure, left);
  };
  const end = (): void => {
    button.disabled = false;
    showNotice(form, '');
    announce(messages.tryAgain);
  };
  button.disabled = true;
  limits.get(form)?.();
  limits.set(form, countDown(seconds, tick, end));
}

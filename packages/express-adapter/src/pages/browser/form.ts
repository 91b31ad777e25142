import type { Failure, FieldFault } from './api.js';
import { busy } from './busy.js';
import { element } from './dom.js';
import { failureText, fieldText } from './failure-text.js';

/** Runs `work` when the form is sent, once at a time, after the fields were found filled in. */
export function onSubmit(form: HTMLFormElement, work: (fields: FormFields) => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void busy(form, async () => {
      clearErrors(form);
      if (!reportFaultyFields(form)) await work(new FormFields(form));
    });
  });
  // An error is about what was sent; it goes when that is fixed.
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) setFieldError(target, '');
  });
}

export class FormFields {
  readonly #data: FormData;

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form);
  }

  /** What was typed, as it was typed. */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value : '';
  }
}

/** Tells of a failure: beside the fields it names, else above the form. */
export function showFailure(form: HTMLFormElement, failure: Failure): void {
  const faulty = inputsOf(form).filter((input) => showFaults(input, failure.fields));
  if (faulty.length === 0) showNotice(form, failureText(failure));
  focusFirstError(form);
  if (failure.code === 'rate_limited') rest(form, failure.retryAfter);
}

/** Puts what is wrong with a field beside it. @returns whether something is. */
function showFaults(input: HTMLInputElement, faults: readonly FieldFault[]): boolean {
  const own = faults.filter(({ pointer }) => pointer === `/${input.name}`);
  if (own.length > 0) setFieldError(input, own.map(fieldText).join(' '));
  return own.length > 0;
}

/** Tells of something in the notice of a form or a view; an empty text takes it away. */
export function showNotice(place: HTMLElement, text: string): void {
  const notice = element('.notice', HTMLElement, place);
  notice.textContent = text;
  notice.hidden = text === '';
}

/** Marks a field as faulty, or as fixed with an empty reason. */
function setFieldError(input: HTMLInputElement, reason: string): void {
  const place = document.getElementById(`${input.id}-error`);
  if (!place) return;
  place.textContent = reason;
  place.hidden = reason === '';
  if (reason === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

function clearErrors(form: HTMLFormElement): void {
  showNotice(form, '');
  for (const input of inputsOf(form)) setFieldError(input, '');
}

function reportFaultyFields(form: HTMLFormElement): boolean {
  const faulty = inputsOf(form).filter((input) => !input.checkValidity());
  for (const input of faulty) setFieldError(input, whatIsWrong(input));
  focusFirstError(form);
  return faulty.length > 0;
}

function whatIsWrong(input: HTMLInputElement): string {
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

/** What each form waits for until it can be sent again. */
const rests = new WeakMap<HTMLFormElement, number>();

/** Holds the button back for as long as the service will not listen. */
function rest(form: HTMLFormElement, seconds: number): void {
  const button = element('button[type=submit]', HTMLButtonElement, form);
  const wake = (): void => {
    button.disabled = false;
    showNotice(form, '');
  };
  button.disabled = true;
  clearTimeout(rests.get(form));
  rests.set(form, setTimeout(wake, Math.max(seconds, 1) * 1000));
}

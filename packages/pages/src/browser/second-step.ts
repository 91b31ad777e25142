import type { Schemas } from '@latchkey/client';
import { secondFactorScriptMessages as messages } from '../messages/en/second-factor.js';
import { onAction } from './actions.js';
import { client } from './client.js';
import { element, elements, fill } from './dom.js';
import { clearEnrolment, showEnrolment } from './enrolment.js';
import { failureText } from './failure-text.js';
import type { Failure } from './failure.js';
import { onSubmit, resetForm, showFailure, showFieldError, showNotice } from './form.js';
import { isDismissed, passkeysWork, signInWithPasskey } from './passkey.js';
import { RecoveryCodes } from './recovery-codes.js';
import { show } from './views.js';

/** The rest of the page, which goes on when the second step has ended. */
interface SecondStepEnds {
  signedIn: () => Promise<void> | void;
  /** The first factor must be given again. */
  expired: () => void;
  /** The user has left the step. */
  left: () => void;
}

type Proof = { code: string } | { recoveryCode: string };

const VIEW_OF_METHOD: Partial<Record<string, string>> = {
  totp: 'second-code',
  recovery_code: 'second-recovery',
  passkey: 'second-passkey',
};

const viewOf = (name: string): HTMLElement => element(`[data-view="${name}"]`, HTMLElement);
const formOf = (name: string): HTMLFormElement => element('form', HTMLFormElement, viewOf(name));

/** Reports whether this page offers a method: its view exists, and the browser supports it. */
const isOffered = (method: string): boolean =>
  document.querySelector(`[data-view="${VIEW_OF_METHOD[method] ?? 'none'}"]`) !== null &&
  (method !== 'passkey' || passkeysWork());

const isCodeWrong = (failure: Failure): boolean => 'reason' in failure && failure.reason === 'code_wrong';

/** Reports whether the sign-in must start again: its challenge has expired, had too many wrong codes, or is outdated. */
const isOver = (failure: Failure): boolean =>
  failure.code === 'not_found' || (failure.code === 'unauthorized' && !isCodeWrong(failure));

/** The second step of a sign-in: proves a second factor, or sets up the first one. */
export class SecondStep {
  readonly #ends: SecondStepEnds;
  readonly #codeForm = formOf('second-code');
  readonly #recoveryForm = formOf('second-recovery');
  readonly #enrolForm = formOf('enrol');
  readonly #recoveryCodes = new RecoveryCodes();
  #challenge = '';
  #email = '';
  #factorId = '';

  constructor(ends: SecondStepEnds) {
    this.#ends = ends;
    onSubmit(this.#codeForm, (fields) => this.#prove(this.#codeForm, { code: fields.text('code') }));
    onSubmit(this.#recoveryForm, (fields) =>
      this.#prove(this.#recoveryForm, { recoveryCode: fields.text('recoveryCode') }),
    );
    onSubmit(this.#enrolForm, (fields) => this.#confirm(fields.text('code')));
    onAction('use-code', () => show('second-code'));
    onAction('use-recovery-code', () => show('second-recovery'));
    onAction('use-passkey', () => this.#usePasskey());
    onAction('enrol', () => this.#enrol());
    onAction('recovery-codes-saved', () => this.#end(ends.signedIn));
    onAction('leave-second-step', () => this.#leave());
  }

  /** Shows the step. Returns false if this page offers none of its methods. */
  start({ challenge, methods, enrol, expiresIn }: Schemas['SecondFactorChallenge'], email: string): boolean {
    const offered = methods.filter(isOffered);
    const view = enrol ? 'enrol-start' : VIEW_OF_METHOD[offered[0] ?? ''];
    if (view === undefined) return false;
    this.#challenge = challenge;
    this.#email = email;
    for (const control of elements('[data-method]')) {
      control.hidden = !offered.includes(control.dataset.method ?? '');
    }
    fill('account', email);
    fill('minutes', messages.minutes(Math.max(1, Math.floor(expiresIn / 60))));
    for (const notice of elements('.notice', viewOf(view))) notice.hidden = true;
    show(view);
    return true;
  }

  async #prove(form: HTMLFormElement, proof: Proof): Promise<void> {
    const { error } = await client.factors.signIn({ challenge: this.#challenge, ...proof });
    if (error) this.#refuse(form, error);
    else await this.#end(this.#ends.signedIn);
  }

  /** A passkey is a sign-in of its own; the challenge remains unanswered. */
  async #usePasskey(): Promise<void> {
    const view = element('[data-view]:not([hidden])', HTMLElement);
    showNotice(view, '');
    const { error } = await signInWithPasskey();
    if (!error) await this.#end(this.#ends.signedIn);
    else if (error.code === 'unauthorized') showNotice(view, messages.passkeyFailed);
    else if (isDismissed(error)) showNotice(view, messages.noPasskey, 'info');
    else showNotice(view, failureText(error));
  }

  async #enrol(): Promise<void> {
    const view = viewOf('enrol-start');
    showNotice(view, '');
    const body = { challenge: this.#challenge };
    const { data, error } = await client.request('POST', '/auth/login/second-factor/enrol', { body });
    if (!error) {
      this.#factorId = data.id;
      await showEnrolment(data);
      show('enrol');
    } else if (isOver(error)) await this.#end(this.#ends.expired);
    else showNotice(view, failureText(error));
  }

  async #confirm(code: string): Promise<void> {
    const body = { challenge: this.#challenge, id: this.#factorId, code };
    const { data, error } = await client.request('POST', '/auth/login/second-factor/enrol/confirm', { body });
    if (error) this.#refuse(this.#enrolForm, error);
    else {
      await client.session.start(data);
      clearEnrolment();
      this.#recoveryCodes.show(data.recoveryCodes, this.#email);
    }
  }

  /** The user stays while a request is on its way: it may sign them in. */
  async #leave(): Promise<void> {
    const isWaiting =
      document.querySelector('[aria-busy=true]:not([data-action=leave-second-step])') !== null;
    if (!isWaiting) await this.#end(this.#ends.left);
  }

  #refuse(form: HTMLFormElement, failure: Failure): void {
    if (isOver(failure)) void this.#end(this.#ends.expired);
    else if (isCodeWrong(failure))
      showFieldError(form, form === this.#recoveryForm ? messages.wrongRecoveryCode : messages.wrongCode);
    else showFailure(form, failure);
  }

  /** Removes all secrets from the page, then goes on. */
  async #end(then: () => void | Promise<void>): Promise<void> {
    this.#challenge = '';
    clearEnrolment();
    this.#recoveryCodes.clear();
    for (const form of [this.#codeForm, this.#recoveryForm, this.#enrolForm]) resetForm(form);
    await then();
  }
}

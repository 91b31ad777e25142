import { markup, type Markup } from './markup.js';
import type { Messages } from './messages/messages.js';

interface TextField {
  /** Also the field's name in requests. */
  id: string;
  label: string;
  type: 'email' | 'text';
  /** WHATWG HTML, section 4.10.18.7. */
  autocomplete: string;
  /** The mark of a field that may stay empty. A field without it is required. */
  optional?: string;
  /** Shown to users and password managers, but not editable. */
  isReadOnly?: boolean;
}

export const textField = ({
  id,
  label,
  type,
  autocomplete,
  optional,
  isReadOnly,
}: TextField): Markup => markup`
<div class="field">
<label for="${id}">${label}${optional === undefined ? '' : markup` <span class="optional">${optional}</span>`}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}" ${TYPING[type]}${optional === undefined ? markup` required` : ''}${isReadOnly ? markup` readonly` : ''} aria-describedby="${id}-error">
${fieldError(id)}
</div>`;

const TYPING = {
  email: markup`inputmode="email" autocapitalize="none" spellcheck="false"`,
  text: markup`autocapitalize="words" spellcheck="false"`,
};

interface PasswordField {
  id: string;
  label: string;
  autocomplete: 'current-password' | 'new-password';
  /** Minimum length. Shows it as a hint, and the strength of what is typed. */
  minLength?: number;
  /** A link beside the label. */
  aside?: Markup;
}

/** Returns a password field whose scripts show the password, Caps Lock, and with `minLength` the rules of a new password. */
export const passwordField = (
  texts: Messages['controls'],
  { id, label, autocomplete, minLength, aside }: PasswordField,
): Markup => markup`
<div class="field${aside === undefined ? '' : ' with-aside'}">
<label for="${id}">${label}</label>
<div class="with-button">
<input id="${id}" name="${id}" type="password" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required ${
  minLength === undefined ? '' : markup`minlength="${minLength}" passwordrules="minlength: ${minLength};" `
}aria-describedby="${minLength === undefined ? '' : `${id}-hint `}${id}-error">
<button type="button" class="show-password" data-shows="${id}" aria-label="${texts.showPassword}">${texts.show}</button>
</div>
${aside === undefined ? '' : markup`<p class="field-aside">${aside}</p>`}
${minLength === undefined ? '' : newPasswordHints(id, texts.minLength(minLength))}
<p class="hint caps-lock" data-caps-lock="${id}" role="status"></p>
${fieldError(id)}
</div>`;

const newPasswordHints = (id: string, rule: string): Markup => markup`
<p class="hint rule" id="${id}-hint">${rule}</p>
<p class="hint strength" data-strength-of="${id}" role="status"></p>`;

export interface CodeField {
  id: string;
  /** The field's name in requests. */
  name: 'code' | 'recoveryCode';
  label: string;
  hint: string;
  /** True if the field gets the focus when its view is shown. */
  isFirst?: boolean;
}

/** Returns a field for a code of an authenticator app, which phones and password managers fill in, or a recovery code. */
export const codeField = ({ id, name, label, hint, isFirst }: CodeField): Markup => markup`
<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" class="code" type="text" ${TYPING_CODES[name]} autocapitalize="none" spellcheck="false" required aria-describedby="${id}-hint ${id}-error"${isFirst ? markup` data-focus` : ''}>
<p class="hint" id="${id}-hint">${hint}</p>
${fieldError(id)}
</div>`;

const TYPING_CODES = {
  code: markup`inputmode="numeric" autocomplete="one-time-code"`,
  recoveryCode: markup`autocomplete="off"`,
};

const fieldError = (id: string): Markup => markup`<p class="field-error" id="${id}-error" hidden></p>`;

/** The place for errors and notices that concern the whole form. */
export const formNotice = markup`<p class="notice error" role="alert" hidden></p>`;

/** @param busyLabel replaces the label while the form is being sent; the label must be a text then. */
export const submitButton = (label: Label, busyLabel?: string): Markup => markup`
<button type="submit" class="primary"${busyOf(busyLabel)}>${label}</button>`;

const busyOf = (label: string | undefined): Markup =>
  label === undefined ? markup`` : markup` data-busy="${label}"`;

/** Returns a button that the script of the page handles by its `data-action`. @param busyLabel as for a submit button. */
export const actionButton = (
  action: string,
  label: Label,
  rank: 'primary' | 'secondary',
  busyLabel?: string,
): Markup => markup`
<button type="button" class="${rank}" data-action="${action}"${busyOf(busyLabel)}>${label}</button>`;

/** Returns the same as a link within a text. */
export const textButton = (action: string, label: Label): Markup => markup`
<button type="button" class="link" data-action="${action}">${label}</button>`;

/** Returns the link to the next page. The script shows it once there is a target. */
export const continueLink = (label: string): Markup =>
  markup`<a class="primary" data-continue hidden>${label}</a>`;

export const linkButton = (href: string, label: Label, rank: 'primary' | 'secondary'): Markup => markup`
<a class="${rank}" href="${href}">${label}</a>`;

/** Returns a text that the script fills in. */
export const slot = (name: string, fallback = ''): Markup =>
  markup`<span data-text="${name}">${fallback}</span>`;

type Label = string | Markup | readonly Markup[];

/** Returns one state of a page. Its heading, or the field with `data-focus`, gets the focus when the state is shown. */
export const view = (name: string, heading: Label, content: Markup, isShown = false): Markup => markup`
<section data-view="${name}" ${isShown ? '' : markup`hidden`}>
<h1 tabindex="-1">${heading}</h1>
${content}
</section>`;

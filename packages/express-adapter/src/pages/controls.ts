import { markup, type Markup } from './markup.js';

export interface TextField {
  /** Also the field's name in requests. */
  id: string;
  label: string;
  type: 'email' | 'text';
  /** WHATWG HTML, section 4.10.18.7. */
  autocomplete: string;
  isOptional?: boolean;
  /** Shown to users and password managers, but not editable. */
  isReadOnly?: boolean;
}

export const textField = ({ id, label, type, autocomplete, ...is }: TextField): Markup => markup`
<div class="field">
<label for="${id}">${label}${is.isOptional ? markup` <span class="optional">optional</span>` : ''}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}" ${TYPING[type]}${is.isOptional ? '' : markup` required`}${is.isReadOnly ? markup` readonly` : ''} aria-describedby="${id}-error">
${fieldError(id)}
</div>`;

const TYPING = {
  email: markup`inputmode="email" autocapitalize="none" spellcheck="false"`,
  text: markup`autocapitalize="words" spellcheck="false"`,
};

export interface PasswordField {
  id: string;
  label: string;
  autocomplete: 'current-password' | 'new-password';
  /** Minimum length, shown as a hint. */
  minLength?: number;
}

export const passwordField = ({ id, label, autocomplete, minLength }: PasswordField): Markup => markup`
<div class="field">
<label for="${id}">${label}</label>
<div class="with-button">
<input id="${id}" name="${id}" type="password" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required ${
  minLength === undefined ? '' : markup`minlength="${minLength}" passwordrules="minlength: ${minLength};" `
}aria-describedby="${minLength === undefined ? '' : `${id}-hint `}${id}-error">
<button type="button" class="show-password" data-shows="${id}" aria-label="Show password">Show</button>
</div>
${minLength === undefined ? '' : markup`<p class="hint" id="${id}-hint">At least ${minLength} characters.</p>`}
${fieldError(id)}
</div>`;

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

/** The place for errors that concern the whole form. */
export const formNotice = markup`<p class="notice" role="alert" hidden></p>`;

export const submitButton = (label: Label): Markup => markup`
<button type="submit" class="primary">${label}</button>`;

/** Returns a button that the script of the page handles by its `data-action`. */
export const actionButton = (action: string, label: Label, rank: 'primary' | 'secondary'): Markup => markup`
<button type="button" class="${rank}" data-action="${action}">${label}</button>`;

/** Returns the same as a link within a text. */
export const textButton = (action: string, label: Label): Markup => markup`
<button type="button" class="link" data-action="${action}">${label}</button>`;

/** The link to the next page. The script shows it once there is a target. */
export const continueLink = markup`<a class="primary" data-continue hidden>Continue</a>`;

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

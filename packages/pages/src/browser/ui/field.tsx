import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import type { FormState } from './use-form.js';

interface FieldProps<Name extends string> {
  form: FormState<Name>;
  name: Name;
  label: string;
  /** WHATWG HTML, section 4.10.18.7. */
  autocomplete: string;
  hint?: ComponentChildren;
  /** Defaults to one of its own: a page of one form has readable ones. */
  id?: string;
  isOptional?: boolean;
  /** True if the dialog around the field gives it the focus first. */
  isFirst?: boolean;
}

interface TextFieldProps<Name extends string> extends FieldProps<Name> {
  /** Defaults to `text`. */
  type?: 'text' | 'email' | 'tel' | 'url' | 'search';
  inputMode?: 'numeric' | 'tel' | 'email' | 'url';
  maxLength?: number;
  /** True for codes: figures of one width, and no corrections. */
  isCode?: boolean;
  /** True if it is shown to users and password managers, but not editable. */
  isReadOnly?: boolean;
}

/** A text field with label, hint and error. A code of six digits is sent once it is complete. */
export function Field<Name extends string>({ type = 'text', isCode, ...props }: TextFieldProps<Name>): VNode {
  const { form, name } = props;
  const sendIfComplete = useSendIfComplete(isCode === true && props.inputMode === 'numeric');
  return (
    <Labelled {...props}>
      {(attributes) => (
        <input
          {...attributes}
          {...inputType(type)}
          class={isCode ? 'code' : undefined}
          inputMode={props.inputMode ?? (type === 'email' ? 'email' : undefined)}
          maxLength={props.maxLength}
          readOnly={props.isReadOnly}
          autocapitalize={capitalsOf(props.autocomplete, type === 'text' && !isCode)}
          spellcheck={false}
          value={form.values[name]}
          onInput={({ currentTarget }) => {
            form.set(name, currentTarget.value);
            sendIfComplete(currentTarget);
          }}
        />
      )}
    </Labelled>
  );
}

const capitalsOf = (autocomplete: string, isText: boolean): 'none' | 'words' | 'sentences' => {
  if (!isText) return 'none';
  return autocomplete === 'name' ? 'words' : 'sentences';
};

/** Returns a function that submits the form of a field with six digits. The same code is sent once. */
function useSendIfComplete(isWanted: boolean): (input: HTMLInputElement) => void {
  const sent = useRef('');
  return (input) => {
    const code = input.value.replaceAll(' ', '');
    if (!isWanted || !/^\d{6}$/.test(code) || code === sent.current) return;
    sent.current = code;
    input.form?.requestSubmit();
  };
}

export interface PasswordFieldProps<Name extends string> extends FieldProps<Name> {
  autocomplete: 'current-password' | 'new-password';
  /** The least number of characters of a new password. */
  minLength?: number;
  rule?: PasswordRule;
  /** A link beside the label. */
  aside?: ComponentChildren;
}

/** A password with a button that shows it until it is sent, and a hint while Caps Lock is on. */
export function PasswordField<Name extends string>(props: PasswordFieldProps<Name>): VNode {
  const { form, name, minLength } = props;
  const [isShown, setShown] = useState(false);
  const [isCapsLockOn, setCapsLockOn] = useState(false);
  useEffect(() => {
    if (form.isBusy) setShown(false);
  }, [form.isBusy]);
  const readCapsLock = (event: Event): void => {
    // Events of password managers do not report it.
    if (event instanceof KeyboardEvent || event instanceof MouseEvent)
      setCapsLockOn(event.getModifierState('CapsLock'));
  };
  return (
    <Labelled
      {...props}
      below={(id) => (
        <p class="hint caps-lock" data-caps-lock={id} role="status">
          {isCapsLockOn ? messages.capsLock : ''}
        </p>
      )}
    >
      {(attributes) => (
        <div class="with-button">
          <input
            {...attributes}
            {...inputType(isShown ? 'text' : 'password')}
            minLength={minLength}
            {...(minLength !== undefined && { passwordrules: `minlength: ${minLength};` })}
            onKeyDown={readCapsLock}
            onKeyUp={readCapsLock}
            onPointerDown={readCapsLock}
            onBlur={() => setCapsLockOn(false)}
            autocapitalize="none"
            spellcheck={false}
            value={form.values[name]}
            onInput={(event) => form.set(name, event.currentTarget.value)}
          />
          <button
            type="button"
            class="show-password"
            aria-label={isShown ? messages.hidePassword : messages.showPassword}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? messages.hide : messages.show}
          </button>
        </div>
      )}
    </Labelled>
  );
}

/** The rule of a new password, and how strong the typed one is. */
export interface PasswordRule {
  text: string;
  isMet: boolean;
  /** 1 to 4; empty while the rule is not met. */
  level: string;
  strength: string;
}

interface SelectFieldProps<Name extends string> extends FieldProps<Name> {
  /** The choices: value and text. */
  options: readonly (readonly [value: string, text: string])[];
}

/** A choice of one of a few. */
export function SelectField<Name extends string>({ options, ...props }: SelectFieldProps<Name>): VNode {
  const { form, name } = props;
  return (
    <Labelled {...props}>
      {(attributes) => (
        <select
          {...attributes}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.value)}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Returns the type of an input that varies; the types of the library describe one type at a time. */
const inputType = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

/** What every kind of field has. */
interface FieldAttributes {
  id: string;
  name: string;
  autocomplete: string;
  required: boolean;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'data-focus': true | undefined;
}

interface LabelledProps<Name extends string> extends Omit<FieldProps<Name>, 'children'> {
  children: (attributes: FieldAttributes) => VNode;
  aside?: ComponentChildren;
  rule?: PasswordRule;
  /** Renders what comes between the field and its error. */
  below?: (id: string) => VNode;
}

function Labelled<Name extends string>({
  form,
  name,
  label,
  hint,
  aside,
  rule,
  below,
  children,
  ...is
}: LabelledProps<Name>): VNode {
  const ownId = useId();
  const id = is.id ?? ownId;
  const error = form.errors[name] ?? '';
  const hasHint = hint !== undefined || rule !== undefined;
  const describedBy = [hasHint && `${id}-hint`, error !== '' && `${id}-error`].filter(Boolean);
  return (
    <div class={aside === undefined ? 'field' : 'field with-aside'}>
      <label for={id}>
        {label}
        {is.isOptional && <span class="optional"> {messages.optional}</span>}
      </label>
      {children({
        id,
        name,
        autocomplete: is.autocomplete,
        required: is.isOptional !== true,
        'aria-invalid': error !== '' || undefined,
        'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
        'data-focus': is.isFirst === true || undefined,
      })}
      {aside !== undefined && <p class="field-aside">{aside}</p>}
      {hint !== undefined && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {rule && <RuleHint id={id} rule={rule} isHidden={error !== ''} />}
      {below?.(id)}
      {error !== '' && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

const RuleHint = ({
  id,
  rule,
  isHidden,
}: {
  id: string;
  rule: PasswordRule;
  /** True while an error says the same. */
  isHidden: boolean;
}): VNode => (
  <>
    <p class={rule.isMet ? 'hint rule met' : 'hint rule'} id={`${id}-hint`} hidden={isHidden}>
      {rule.text}
    </p>
    <p class="hint strength" data-strength-of={id} data-level={rule.level} role="status">
      {rule.strength}
    </p>
  </>
);

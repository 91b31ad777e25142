import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import type { FormState } from './use-form.js';

interface FieldProps<Name extends string> {
  form: FormState<Name>;
  name: Name;
  label: string;
  /** WHATWG HTML, section 4.10.18.7. */
  autocomplete: string;
  hint?: ComponentChildren;
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
}

/** A text field with label, hint and error. */
export function Field<Name extends string>({ type = 'text', isCode, ...props }: TextFieldProps<Name>): VNode {
  const { form, name } = props;
  return (
    <Labelled {...props}>
      {(attributes) => (
        <input
          {...attributes}
          {...inputType(type)}
          class={isCode ? 'code' : undefined}
          inputMode={props.inputMode}
          maxLength={props.maxLength}
          autocapitalize={type === 'text' && !isCode ? 'sentences' : 'none'}
          spellcheck={false}
          value={form.values[name]}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface PasswordFieldProps<Name extends string> extends FieldProps<Name> {
  autocomplete: 'current-password' | 'new-password';
  /** The least number of characters of a new password. */
  minLength?: number;
}

/** A password with a button that shows it. */
export function PasswordField<Name extends string>(props: PasswordFieldProps<Name>): VNode {
  const { form, name, minLength } = props;
  const [isShown, setShown] = useState(false);
  return (
    <Labelled {...props}>
      {(attributes) => (
        <div class="with-button">
          <input
            {...attributes}
            {...inputType(isShown ? 'text' : 'password')}
            minLength={minLength}
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
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-focus': true | undefined;
}

interface LabelledProps<Name extends string> extends Omit<FieldProps<Name>, 'children'> {
  children: (attributes: FieldAttributes) => VNode;
}

function Labelled<Name extends string>({
  form,
  name,
  label,
  hint,
  children,
  ...is
}: LabelledProps<Name>): VNode {
  const id = useId();
  const error = form.errors[name] ?? '';
  const describedBy = [hint !== undefined && `${id}-hint`, error !== '' && `${id}-error`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>
        {label}
        {is.isOptional && <span class="optional"> {messages.optional}</span>}
      </label>
      {children({
        id,
        name,
        autocomplete: is.autocomplete,
        required: is.isOptional !== true,
        'aria-invalid': error !== '',
        'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
        'data-focus': is.isFirst === true || undefined,
      })}
      {hint !== undefined && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== '' && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

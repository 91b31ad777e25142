import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { Dialog } from '../../ui/dialog.js';
import type { Answers, DialogField, Question } from '../overlay-store.js';
import { inputType } from './input-type.js';

interface QuestionDialogProps {
  asked: Question;
  answer: (answers: Answers | undefined) => void;
}

/** Asks before an action. It can be confirmed once its fields are filled as required. */
export function QuestionDialog({ asked, answer }: QuestionDialogProps): JSX.Element {
  const { title, text, confirm, cancel = shell.cancel, isDanger = false, fields = [] } = asked;
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])),
  );
  const isComplete = fields.every((field) => isFilled(field, answers[field.name] ?? ''));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isComplete)
      answer(Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, value.trim()])));
  };
  return (
    <Dialog title={title} onClose={() => answer(undefined)}>
      <form class="form" onSubmit={submit}>
        <p class="dialog-text">{text}</p>
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            value={answers[field.name] ?? ''}
            isFirst={index === 0}
            onChange={(value) => setAnswers({ ...answers, [field.name]: value })}
          />
        ))}
        <div class="button-row">
          <button type="button" class="button secondary" onClick={() => answer(undefined)}>
            {cancel}
          </button>
          <button
            type="submit"
            class={`button ${isDanger ? 'danger' : 'primary'}`}
            disabled={!isComplete}
            data-focus={fields.length === 0 || undefined}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const isFilled = ({ mustBe, isOptional, options }: DialogField, value: string): boolean => {
  if (mustBe !== undefined) return value.trim().toLowerCase() === mustBe.toLowerCase();
  return options !== undefined || isOptional === true || value.trim() !== '';
};

interface FieldProps {
  field: DialogField;
  value: string;
  isFirst: boolean;
  onChange: (value: string) => void;
}

function Field({ field, value, isFirst, onChange }: FieldProps): JSX.Element {
  const id = useId();
  const { label, hint, options, type = 'text', maxLength, isOptional } = field;
  const common = { id, 'data-focus': isFirst || undefined, 'aria-describedby': hint && `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...common} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map((each) => (
            <option key={each.value} value={each.value} selected={each.value === value}>
              {each.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          {...inputType(type)}
          value={value}
          maxLength={maxLength}
          required={!isOptional}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bulkMessages as messages, shellMessages as shell } from '../../../messages/en/console/shell.js';
import { CheckList } from '../../ui/check-list.js';
import { Dialog } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { useBusy } from '../../ui/use-busy.js';
import { numberText } from '../format.js';
import {
  useOverlays,
  type Answers,
  type DialogField,
  type FieldProblem,
  type OpenQuestion,
  type Problem,
} from '../overlay-store.js';
import { inputType } from './input-type.js';
import { Link } from './link.js';

/** The answers of a dialog, and what it does with them. */
interface DialogState {
  answers: Answers;
  problem: Problem;
  isBusy: boolean;
  change: (name: string, value: string) => void;
  submit: () => void;
}

function useAnswers({ asked: { fields = [] }, send, close }: OpenQuestion): DialogState {
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])),
  );
  const [problem, setProblem] = useState<Problem>({});
  const [isBusy, run] = useBusy();
  const submit = async (): Promise<void> => {
    const found = await send(trimmed(answers));
    if (found) setProblem(found);
    else close(true);
  };
  const change = (name: string, value: string): void => {
    setAnswers({ ...answers, [name]: value });
    setProblem({});
  };
  return { answers, problem, isBusy, change, submit: () => void run(submit) };
}

const trimmed = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, value.trim()]));

/** Asks before an action. It can be confirmed once its fields are filled as required, and stays if the action fails. */
export function QuestionDialog(open: OpenQuestion): JSX.Element {
  const { asked } = open;
  const { answers, problem, isBusy, change, submit } = useAnswers(open);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [problem]);
  const fields = (asked.fields ?? []).filter(({ isShown }) => isShown?.(answers) ?? true);
  const isFilledIn = fields.every((field) => isFilled(field, answers[field.name] ?? ''));
  const isComplete = isFilledIn && (asked.isReady?.(answers) ?? true);
  const cancel = (): void => open.close(false);
  return (
    <Dialog title={asked.title} onClose={isBusy ? undefined : cancel}>
      <form
        ref={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) submit();
        }}
      >
        <p class="dialog-text">{asked.text}</p>
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            value={answers[field.name] ?? ''}
            problem={problem.fields?.[field.name]}
            isFirst={index === 0}
            onChange={(value) => change(field.name, value)}
            leave={cancel}
          />
        ))}
        <Notices warning={asked.warning?.(answers)} problem={problem} />
        <ProgressLine />
        <Buttons {...{ asked, isBusy, isComplete, cancel }} isFirst={fields.length === 0} />
      </form>
    </Dialog>
  );
}

const Notices = ({ warning, problem }: { warning: string | undefined; problem: Problem }): JSX.Element => (
  <>
    {warning !== undefined && <Notice tone="info">{warning}</Notice>}
    {problem.text !== undefined && (
      <Notice>
        {problem.text}
        {problem.lines && (
          <ul class="failures">
            {problem.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </Notice>
    )}
  </>
);

/** The progress of an action on several records. */
function ProgressLine(): JSX.Element | null {
  const { progress } = useOverlays();
  if (!progress) return null;
  const text = messages.progress(numberText(progress.done), numberText(progress.total));
  return (
    <p class="quiet" role="status">
      <progress value={progress.done} max={progress.total} aria-label={messages.title} /> {text}
    </p>
  );
}

const Buttons = ({
  asked,
  isBusy,
  isComplete,
  isFirst,
  cancel,
}: {
  asked: OpenQuestion['asked'];
  isBusy: boolean;
  isComplete: boolean;
  isFirst: boolean;
  cancel: () => void;
}): JSX.Element => (
  <div class="button-row">
    <button type="button" class="button secondary" disabled={isBusy} onClick={cancel}>
      {asked.cancel ?? shell.cancel}
    </button>
    <button
      type="submit"
      class={`button ${asked.isDanger ? 'danger' : 'primary'}`}
      disabled={!isComplete}
      aria-busy={isBusy}
      data-focus={isFirst || undefined}
    >
      {asked.confirm}
    </button>
  </div>
);

const isFilled = ({ mustBe, isOptional, isCheck, options }: DialogField, value: string): boolean => {
  if (mustBe !== undefined) return value.trim().toLowerCase() === mustBe.toLowerCase();
  return options !== undefined || isOptional === true || isCheck === true || value.trim() !== '';
};

/** Returns the values of an answer that has several. */
export const valuesIn = (answer = ''): string[] =>
  answer
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

interface FieldProps {
  field: DialogField;
  value: string;
  problem: FieldProblem | undefined;
  isFirst: boolean;
  onChange: (value: string) => void;
  /** Closes the dialog: a link in it leads to another view. */
  leave: () => void;
}

function Field({ field, value, problem, isFirst, onChange, leave }: FieldProps): JSX.Element {
  const { label, hint, options, choices, type = 'text', maxLength, isOptional, isCheck } = field;
  const id = useId();
  if (choices) return <Choices label={label} choices={choices} value={value} onChange={onChange} />;
  if (isCheck) return <Check field={field} value={value} onChange={onChange} />;
  const notes = [hint !== undefined && `${id}-hint`, problem && `${id}-error`].filter(Boolean);
  const common = {
    id,
    'data-focus': isFirst || undefined,
    'aria-invalid': problem !== undefined,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
  };
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
      {problem && <FieldError id={`${id}-error`} problem={problem} leave={leave} />}
    </div>
  );
}

const FieldError = ({
  id,
  problem: { text, link },
  leave,
}: Pick<FieldProps, 'leave'> & { id: string; problem: FieldProblem }): JSX.Element => (
  <p id={id} class="field-error">
    {text}
    {link && (
      <>
        {' '}
        <Link href={link.href} onFollow={leave}>
          {link.text}
        </Link>
      </>
    )}
  </p>
);

const Choices = ({
  label,
  choices,
  value,
  onChange,
}: Pick<FieldProps, 'value' | 'onChange'> & { label: string; choices: readonly string[] }): JSX.Element => (
  <CheckList
    legend={label}
    options={choices}
    chosen={valuesIn(value)}
    onChange={(values) => onChange(values.join(','))}
  />
);

const Check = ({
  field: { label, hint },
  value,
  onChange,
}: Pick<FieldProps, 'field' | 'value' | 'onChange'>): JSX.Element => (
  <label class="switch">
    <input
      type="checkbox"
      checked={value !== ''}
      onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'on' : '')}
    />
    <span>
      {label}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </span>
  </label>
);

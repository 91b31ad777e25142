import { useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from 'react';

/** A labelled input of a form, with a hint that is announced with it. */
export function Field({
  label,
  hint,
  ...input
}: {
  name: string;
  label: string;
  hint?: string;
  type: string;
  autoComplete: string;
  inputMode?: 'numeric';
}): ReactElement {
  const id = useId();
  return (
    <div className="lk-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} required aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...input} />
      {hint !== undefined && (
        <p className="lk-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A form that is sent once at a time, announces what went wrong, and then returns the focus to its last field. */
export function SubmitForm(props: {
  label: string;
  problem: string;
  onSend: (fields: Record<string, string>) => Promise<void>;
  children: ReactNode;
}): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (props.problem !== '') [...(form.current?.querySelectorAll('input') ?? [])].at(-1)?.focus();
  }, [props.problem]);

  async function send(): Promise<void> {
    const fields = [...new FormData(form.current ?? undefined)];
    setBusy(true);
    await props.onSend(
      Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'string' ? value : ''])),
    );
    setBusy(false);
  }

  return (
    <form
      ref={form}
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      {props.children}
      <p className="lk-problem" role="alert">
        {props.problem}
      </p>
      <button className="lk-primary" aria-disabled={isBusy}>
        {props.label}
      </button>
    </form>
  );
}

/** A button beside the one that sends a form. */
export const SecondaryButton = (props: { onPress: () => void; children: ReactNode }): ReactElement => (
  <button className="lk-secondary" type="button" onClick={props.onPress}>
    {props.children}
  </button>
);

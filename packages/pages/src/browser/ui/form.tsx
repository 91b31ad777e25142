import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';
import type { FormState } from './use-form.js';

interface FormProps<Name extends string> {
  form: FormState<Name>;
  /** The accessible name of the form. */
  label: string;
  children: ComponentChildren;
}

/** A form with its notice. Its first invalid field gets the focus after each attempt. */
export function Form<Name extends string>({ form, label, children }: FormProps<Name>): VNode {
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    invalid?.focus();
    // Typing replaces a wrong code.
    if (invalid instanceof HTMLInputElement && invalid.classList.contains('code')) invalid.select();
  }, [form.attempts]);
  return (
    <form
      ref={element}
      class="form"
      method="post"
      noValidate
      aria-label={label}
      aria-busy={form.isBusy || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(event.currentTarget);
      }}
    >
      {/* Screen readers announce the first text and the end of a wait, not each second. */}
      <p
        class={`notice ${form.kind}`}
        role="alert"
        aria-live={form.isCounting ? 'off' : undefined}
        hidden={form.notice === ''}
      >
        {form.notice}
      </p>
      {children}
    </form>
  );
}

interface SubmitButtonProps<Name extends string> {
  form: FormState<Name>;
  children: ComponentChildren;
  rank?: 'primary' | 'danger';
  /** Replaces the label while the form is being sent. */
  busyLabel?: string;
}

/** The button that submits a form. It is disabled for as long as a rate limit lasts. */
export const SubmitButton = <Name extends string>({
  form,
  children,
  rank = 'primary',
  busyLabel,
}: SubmitButtonProps<Name>): VNode => (
  <Button
    type="submit"
    rank={rank}
    isBusy={form.isBusy}
    isDisabled={form.isLimited}
    {...(busyLabel !== undefined && { busyLabel })}
  >
    {children}
  </Button>
);

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';
import { Notice } from './notice.js';
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
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [form.attempts]);
  return (
    <form
      ref={element}
      class="form"
      method="post"
      noValidate
      aria-label={label}
      aria-busy={form.isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(event.currentTarget);
      }}
    >
      {form.notice !== '' && <Notice>{form.notice}</Notice>}
      {children}
    </form>
  );
}

interface SubmitButtonProps<Name extends string> {
  form: FormState<Name>;
  children: ComponentChildren;
  rank?: 'primary' | 'danger';
}

/** The button that submits a form. It is disabled for as long as a rate limit lasts. */
export const SubmitButton = <Name extends string>({
  form,
  children,
  rank = 'primary',
}: SubmitButtonProps<Name>): VNode => (
  <Button type="submit" rank={rank} isBusy={form.isBusy} isDisabled={form.isLimited}>
    {children}
  </Button>
);

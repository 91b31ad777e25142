import type { VNode } from 'preact';
import { secondFactorMessages as messages } from '../../messages/en/second-factor.js';
import { Field } from './field.js';
import type { FormState } from './use-form.js';

/** The field of a code of the app, or of a recovery code. */
export function CodeField({
  form,
  name,
}: {
  form: FormState<'code' | 'recoveryCode'>;
  name: 'code' | 'recoveryCode';
}): VNode {
  const shared = { form, name, isFirst: true, isCode: true } as const;
  return name === 'code' ? (
    <Field
      {...shared}
      id="code"
      label={messages.code}
      hint={messages.codeHint}
      autocomplete="one-time-code"
      inputMode="numeric"
    />
  ) : (
    <Field
      {...shared}
      id="recovery-code"
      label={messages.recoveryCode}
      hint={messages.recoveryCodeHint}
      autocomplete="off"
    />
  );
}

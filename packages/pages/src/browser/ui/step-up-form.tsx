import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { stepUpMessages as messages, uiMessages } from '../../messages/en/ui.js';
import type { Failure } from '../failure.js';
import { Button } from './button.js';
import { Actions } from './dialog.js';
import { Field, PasswordField } from './field.js';
import { Form, SubmitButton } from './form.js';
import type { StepUpMethod } from './step-up-methods.js';
import { prove } from './step-up-proof.js';
import { useForm, type FormState } from './use-form.js';

type TypedMethod = Exclude<StepUpMethod, 'passkey'>;

const WRONG: Record<TypedMethod, string> = {
  password: messages.wrongPassword,
  code: messages.wrongCode,
  recoveryCode: messages.wrongRecoveryCode,
};

/** Reasons of a 401 that concern the proof; any other one concerns the session. */
const WRONG_REASONS: readonly string[] = ['current_password_wrong', 'code_wrong'];

/** A proof that is typed: a password, a code, or a recovery code. */
export function StepUpForm({
  method,
  email,
  onAnswer,
}: {
  method: TypedMethod;
  email: string;
  onAnswer: (isRaised: boolean) => void;
}): VNode {
  const element = useRef<HTMLDivElement>(null);
  const form = useForm<'proof'>({
    initial: { proof: '' },
    submit: async ({ proof }) => {
      const error = await prove({ [method]: proof });
      if (!error) onAnswer(true);
      return error;
    },
    explain: (failure) => (isWrong(failure) ? { field: 'proof', text: WRONG[method] } : undefined),
  });
  useLayoutEffect(() => {
    // The form may come late: a user who has gone to another way, or to a service, stays there.
    if (document.activeElement?.matches('button')) return;
    element.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
  }, []);
  return (
    <div ref={element}>
      <Form form={form} label={messages.title}>
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <ProofField method={method} form={form} />
        <Actions>
          <Button onPress={() => onAnswer(false)}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.confirm}</SubmitButton>
        </Actions>
      </Form>
    </div>
  );
}

const isWrong = (failure: Failure): boolean => 'reason' in failure && WRONG_REASONS.includes(failure.reason);

function ProofField({ method, form }: { method: TypedMethod; form: FormState<'proof'> }): VNode {
  const shared = { form, name: 'proof', isFirst: true } as const;
  if (method === 'password')
    return <PasswordField {...shared} label={messages.password} autocomplete="current-password" />;
  return method === 'code' ? (
    <Field
      {...shared}
      label={messages.code}
      hint={messages.codeHint}
      autocomplete="one-time-code"
      inputMode="numeric"
      isCode
    />
  ) : (
    <Field
      {...shared}
      label={messages.recoveryCode}
      hint={messages.recoveryCodeHint}
      autocomplete="off"
      isCode
    />
  );
}

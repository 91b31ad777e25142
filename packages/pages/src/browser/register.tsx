import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { loginMessages } from '../messages/en/login.js';
import {
  registerMessages as messages,
  registerScriptMessages as moreMessages,
} from '../messages/en/register.js';
import { client } from './client.js';
import type { Failure } from './failure.js';
import { linkTo } from './keep-language.js';
import { pageData } from './page-data.js';
import { purpose, withReturn } from './purpose.js';
import { Button } from './ui/button.js';
import { Field } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { NewPasswordField } from './ui/new-password-field.js';
import { ProviderButtons } from './ui/provider-buttons.js';
import { ResendButton } from './ui/resend-button.js';
import { useForm, type FormState } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

/** Creates an account, and says what is to be done before it can be used. */
function RegisterPage(): VNode {
  const [next, setNext] = useState<{ view: 'mail' | 'waiting' | 'done'; email: string }>();
  const [takenEmail, setTakenEmail] = useState('');
  const form = useForm<'fullName' | 'email' | 'password'>({
    initial: { fullName: '', email: '', password: '' },
    submit: async (fields) => {
      setTakenEmail('');
      const { data, error } = await register(fields);
      if (!error) {
        form.set('password', '');
        setNext({ view: data.status === 'approved' ? 'done' : pageData.pending, email: data.email });
      } else if ('reason' in error && error.reason === 'email_taken') setTakenEmail(fields.email);
      else return error;
      return undefined;
    },
    explain,
  });
  if (!next) return <FormView form={form} isTaken={takenEmail !== '' && takenEmail === form.values.email} />;
  const again = (): void => {
    setNext(undefined);
    // The form is rendered by a microtask before this one.
    queueMicrotask(focusEmail);
  };
  const email = <strong>{next.email}</strong>;
  const resend = <ResendActions email={next.email} onAgain={again} />;
  if (next.view === 'mail') {
    return (
      <View name="mail" heading={messages.checkMail}>
        <p class="lead">
          {fillText(confirmText(), { email })} {messages.spam}
        </p>
        {resend}
      </View>
    );
  }
  if (next.view === 'waiting') {
    return (
      <View name="waiting" heading={messages.waiting}>
        <p class="lead">{fillText(waitingText(), { email })}</p>
        {pageData.waitsFor === 'link' && resend}
      </View>
    );
  }
  return (
    <Ended name="done" heading={messages.done} text={fillText(messages.doneText, { email })}>
      <LinkButton href={withReturn('login')} rank="primary">
        {messages.signIn}
      </LinkButton>
    </Ended>
  );
}

/** Returns the text for an address that may not register, beside its field. */
const explain = (failure: Failure) =>
  'reason' in failure && failure.reason === 'email_not_allowed'
    ? ({ text: moreMessages.notAllowed, field: 'email' } as const)
    : undefined;

const register = (fields: Record<'fullName' | 'email' | 'password', string>) =>
  client.request('POST', '/auth/register', {
    // Mails come in the language of the page.
    body: { ...fields, locale: document.documentElement.lang as 'en' | 'de' },
  });

const confirmText = (): string => (pageData.staffDecide ? messages.confirmThenWait : messages.confirmByMail);

function waitingText(): string {
  if (pageData.waitsFor === 'link') return messages.waitingWithLink;
  return pageData.waitsFor === 'mail' ? messages.waitingForMail : messages.waitingWithoutMail;
}

/** Moves the focus to the email, once the form is there. */
function focusEmail(): void {
  const input = document.querySelector<HTMLInputElement>('#email');
  input?.focus();
  input?.select();
}

function FormView({
  form,
  isTaken,
}: {
  form: FormState<'fullName' | 'email' | 'password'>;
  /** True while the email is that of an account. */
  isTaken: boolean;
}): VNode {
  useLayoutEffect(() => {
    if (isTaken) focusEmail();
  }, [form.attempts]);
  return (
    <View name="form" heading={messages.title}>
      <p class="lead">{purpose}</p>
      <Form form={form} label={messages.title}>
        {isTaken && <Taken />}
        <Field form={form} id="fullName" name="fullName" label={messages.fullName} autocomplete="name" />
        <Field
          form={form}
          id="email"
          name="email"
          type="email"
          label={messages.email}
          autocomplete="username"
        />
        <NewPasswordField
          form={form}
          id="password"
          name="password"
          label={messages.password}
          email={form.values.email}
        />
        <SubmitButton form={form} busyLabel={messages.submitting}>
          {messages.submit}
        </SubmitButton>
      </Form>
      {pageData.providers.length > 0 && (
        <>
          <p class="or">{loginMessages.or}</p>
          <ProviderButtons onFailure={form.fail} />
        </>
      )}
      <p class="aside">
        {messages.haveAccount} <a href={withReturn('login')}>{messages.signIn}</a>
      </p>
    </View>
  );
}

const Taken = (): VNode => (
  <div role="alert">
    <p class="notice info">{messages.taken}</p>
    <p class="lead">
      {fillText(messages.takenNext, {
        signIn: <a href={withReturn('login')}>{messages.takenSignIn}</a>,
        reset: <a href={linkTo('reset-password')}>{messages.takenReset}</a>,
      })}
    </p>
  </div>
);

const ResendActions = ({ email, onAgain }: { email: string; onAgain: () => void }): VNode => (
  <div class="actions">
    <ResendButton
      label={messages.resend}
      waits={moreMessages.resendIn}
      sent={moreMessages.resent}
      send={async () =>
        (await client.request('POST', '/auth/email/verify/resend', { body: { email } })).error
      }
    />
    <Button onPress={onAgain}>{messages.otherEmail}</Button>
  </div>
);

mount(<RegisterPage />);

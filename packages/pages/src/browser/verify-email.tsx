import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { verifyEmailMessages as messages } from '../messages/en/verify-email.js';
import { client } from './client.js';
import { failureText } from './failure-text.js';
import { refuses, type Failure } from './failure.js';
import { linkTo } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { Button } from './ui/button.js';
import { Field, PasswordField } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { Notice } from './ui/notice.js';
import { useForm } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

const TOKEN_KEY = 'latchkey.email-verification';

type ViewName = 'opening' | 'confirm' | 'password' | 'confirmed' | 'done' | 'unusable';

interface StepProps {
  token: string;
  /** The address that the link confirms, once it is known. */
  email: string;
  onView: (view: ViewName) => void;
}

/** Proves the mailbox of a registration: by a button if staff decide on registrations, else by the password. */
function VerifyEmailPage(): VNode {
  const [token = ''] = useState(() => takeToken(TOKEN_KEY));
  const [view, setView] = useState<ViewName>(token === '' ? 'unusable' : 'opening');
  const [email, setEmail] = useState('');
  const show = (name: ViewName): void => {
    if (name !== 'password') forgetToken(TOKEN_KEY);
    setView(name);
  };
  const open = async (): Promise<void> => {
    const { data, error } = await client.registration.previewVerification(token);
    if (error && refuses(error, '/token')) show('unusable');
    // Links of new registrations need the password unless staff decide. For others, the route asks for it.
    // Without the address the page asks all the same: the route of the proof decides.
    else {
      setEmail(data?.email ?? '');
      setView(pageData.needsPassword ? 'password' : 'confirm');
    }
  };
  useEffect(() => {
    if (token !== '') void open();
  }, []);
  if (view === 'opening') return <OpeningView />;
  const step = { token, email, onView: show };
  if (view === 'confirm') return <ButtonStep {...step} />;
  if (view === 'password') return <PasswordStep {...step} />;
  const toSignIn = (
    <LinkButton href={linkTo('login')} rank="primary">
      {messages.signIn}
    </LinkButton>
  );
  if (view === 'done') {
    return (
      <Ended name="done" heading={messages.doneHeading} text={messages.doneLead}>
        {toSignIn}
      </Ended>
    );
  }
  // No one has approved the registration yet, so there is nothing to sign in to.
  if (view === 'confirmed')
    return <Ended name="confirmed" heading={messages.confirmedHeading} text={messages.confirmedLead} />;
  return (
    <Ended name="unusable" heading={messages.unusableHeading} text={messages.unusableLead}>
      {toSignIn}
    </Ended>
  );
}

const OpeningView = (): VNode => (
  <View name="opening" heading={messages.moment}>
    <p class="lead">
      <span class="spinner" />
      {messages.opening}
    </p>
  </View>
);

const verify = async (body: { token: string; password?: string }): Promise<Failure | undefined> =>
  (await client.request('POST', '/auth/email/verify', { body })).error;

/** Sends the token alone. If the link needs the password, the page asks for it. */
function ButtonStep({ token, email, onView }: StepProps): VNode {
  const [notice, setNotice] = useState('');
  const confirm = async (): Promise<void> => {
    setNotice('');
    const error = await verify({ token });
    if (!error) onView('confirmed');
    else if (refuses(error, '/password')) onView('password');
    else if (refuses(error, '/token')) onView('unusable');
    else setNotice(failureText(error));
  };
  return (
    <View name="confirm" heading={messages.title}>
      {email !== '' && <p class="lead">{fillText(messages.about, { email: <strong>{email}</strong> })}</p>}
      <p class="lead">{fillText(messages.confirmLead, { notMe: <em>{messages.notMe}</em> })}</p>
      <div class="actions">
        {notice !== '' && <Notice>{notice}</Notice>}
        <Button rank="primary" onPress={confirm} busyLabel={messages.confirming}>
          {messages.confirm}
        </Button>
      </div>
    </View>
  );
}

/** The field has no least length: the password that was chosen at registration was valid then. */
function PasswordStep({ token, email, onView }: StepProps): VNode {
  const form = useForm<'email' | 'password'>({
    initial: { email, password: '' },
    submit: async ({ password }) => {
      const error = await verify({ token, password });
      if (error && !refuses(error, '/token')) return error;
      onView(error ? 'unusable' : 'done');
      return undefined;
    },
  });
  return (
    <View name="password" heading={messages.passwordHeading}>
      <p class="lead">{messages.passwordLead}</p>
      <Form form={form} label={messages.passwordHeading}>
        {email !== '' && (
          <Field
            form={form}
            id="email"
            name="email"
            type="email"
            label={messages.email}
            autocomplete="username"
            isReadOnly
          />
        )}
        <PasswordField
          form={form}
          id="password"
          name="password"
          label={messages.password}
          autocomplete="current-password"
        />
        <SubmitButton form={form} busyLabel={messages.confirming}>
          {messages.confirm}
        </SubmitButton>
      </Form>
    </View>
  );
}

mount(<VerifyEmailPage />);

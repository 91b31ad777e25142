import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  resetPasswordMessages as messages,
  resetPasswordScriptMessages as moreMessages,
} from '../messages/en/reset-password.js';
import { client } from './client.js';
import { refuses, type Failure } from './failure.js';
import { linkTo } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { tabSession } from './tab-session.js';
import { Button } from './ui/button.js';
import { Field } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { NewPasswordField } from './ui/new-password-field.js';
import { ResendButton } from './ui/resend-button.js';
import { useForm, type FormState } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

const TOKEN_KEY = 'latchkey.password-reset';

type ViewName = 'request' | 'sent' | 'password' | 'done' | 'unusable';

const requestMail = async (email: string): Promise<Failure | undefined> =>
  (await client.request('POST', '/auth/password-reset/request', { body: { email } })).error;

/** Requests the mail with the link; with the token of that link, sets the new password. */
function ResetPasswordPage(): VNode {
  const [token] = useState(() => takeToken(TOKEN_KEY));
  const [view, setView] = useState<ViewName>(token === undefined ? 'request' : 'password');
  const request = useForm<'email'>({
    initial: { email: '' },
    submit: async ({ email }) => {
      const error = await requestMail(email);
      if (!error) setView('sent');
      return error;
    },
  });
  const again = (): void => setView('request');
  if (view === 'request') return <RequestView form={request} />;
  if (view === 'sent') return <SentView email={request.values.email} onAgain={again} />;
  if (view === 'password') return <PasswordView token={token ?? ''} onView={setView} />;
  return view === 'done' ? (
    <Ended name="done" heading={messages.doneHeading} text={messages.doneLead}>
      <LinkButton href={linkTo('login')} rank="primary">
        {messages.signIn}
      </LinkButton>
    </Ended>
  ) : (
    <Ended name="unusable" heading={messages.unusableHeading} text={messages.unusableLead}>
      <Button rank="primary" onPress={again}>
        {messages.requestNewLink}
      </Button>
    </Ended>
  );
}

const RequestView = ({ form }: { form: FormState<'email'> }): VNode => (
  <View name="request" heading={messages.title}>
    <p class="lead">{messages.requestLead}</p>
    <Form form={form} label={messages.title}>
      <Field
        form={form}
        id="email"
        name="email"
        type="email"
        label={messages.email}
        autocomplete="username"
      />
      <SubmitButton form={form} busyLabel={messages.sending}>
        {messages.send}
      </SubmitButton>
    </Form>
    <BackToSignIn />
  </View>
);

const SentView = ({ email, onAgain }: { email: string; onAgain: () => void }): VNode => (
  <View name="sent" heading={messages.sentHeading}>
    <p class="lead">{fillText(messages.sentLead, { email: <strong>{email}</strong> })}</p>
    <div class="actions">
      <ResendButton
        label={messages.sendAgain}
        waits={moreMessages.sendAgainIn}
        sent={moreMessages.sentAgain}
        send={() => requestMail(email)}
      />
      <Button onPress={onAgain}>{messages.otherEmail}</Button>
    </div>
    <BackToSignIn />
  </View>
);

const BackToSignIn = (): VNode => (
  <p class="aside">
    <a href={linkTo('login')}>{messages.backToSignIn}</a>
  </p>
);

function PasswordView({ token, onView }: { token: string; onView: (view: ViewName) => void }): VNode {
  const form = useForm<'newPassword'>({
    initial: { newPassword: '' },
    submit: async ({ newPassword }) => {
      const { error } = await client.request('POST', '/auth/password-reset/confirm', {
        body: { token, newPassword },
      });
      if (error && !refuses(error, '/token')) return error;
      forgetToken(TOKEN_KEY);
      if (!error) tabSession.clear();
      onView(error ? 'unusable' : 'done');
      return undefined;
    },
  });
  return (
    <View name="password" heading={messages.passwordHeading}>
      <p class="lead">
        {pageData.removesPasskeys ? messages.signedOutAndPasskeys : messages.signedOutEverywhere}
      </p>
      <Form form={form} label={messages.passwordHeading}>
        <NewPasswordField
          form={form}
          id="newPassword"
          name="newPassword"
          label={messages.newPassword}
          email=""
        />
        <SubmitButton form={form} busyLabel={messages.resetting}>
          {messages.reset}
        </SubmitButton>
      </Form>
    </View>
  );
}

mount(<ResetPasswordPage />);

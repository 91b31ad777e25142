import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { firstRunMessages as messages } from '../messages/en/first-run.js';
import { loginMessages } from '../messages/en/login.js';
import { registerMessages } from '../messages/en/register.js';
import { client } from './client.js';
import { faultsOf, type Failure } from './failure.js';
import { linkTo } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { rememberedEmail } from './remembered-email.js';
import { navigateTo } from './session.js';
import { Field } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { NewPasswordField } from './ui/new-password-field.js';
import { useForm } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

const TOKEN_KEY = 'latchkey.first-administrator';
/** Not in the OpenAPI document: the route exists in development only. */
const ROUTE = '/auth/first-administrator' as '/auth/register';

type Name = 'fullName' | 'email' | 'password';
/** Why the link cannot be used. */
type Refusal = 'unusable' | 'exists';

const { command = '', next = '', needed } = document.body.dataset;
const token = takeToken(TOKEN_KEY);

/** Creates the first administrator, signs in and goes on to the console. */
function FirstAdministratorPage(): VNode {
  const [refusal, setRefusal] = useState<Refusal | undefined>(refusalAtFirst());
  const refuse = (reason: Refusal): void => {
    forgetToken(TOKEN_KEY);
    setRefusal(reason);
  };
  if (refusal === 'exists') {
    return (
      <Ended name="exists" heading={messages.exists} text={messages.existsText}>
        <LinkButton href={linkTo('login')} rank="primary">
          {loginMessages.title}
        </LinkButton>
      </Ended>
    );
  }
  if (refusal === 'unusable') {
    const text = fillText(messages.unusableText, { command: <code>{command}</code> });
    return <Ended name="unusable" heading={messages.unusable} text={text} />;
  }
  return <FormView refuse={refuse} />;
}

function refusalAtFirst(): Refusal | undefined {
  if (needed === 'false') return 'exists';
  return token === undefined ? 'unusable' : undefined;
}

function FormView({ refuse }: { refuse: (reason: Refusal) => void }): VNode {
  const form = useForm<Name>({
    initial: { fullName: '', email: '', password: '' },
    submit: async (fields) => {
      const { error } = await client.request('POST', ROUTE, { body: { ...fields, ...{ token } } });
      if (!error) await goOn(fields);
      else {
        const reason = refusalOf(error);
        if (!reason) return error;
        refuse(reason);
      }
      return undefined;
    },
    explain: (failure) => (isTaken(failure) ? { field: 'email', text: messages.emailTaken } : undefined),
  });
  return (
    <View name="form" heading={messages.title}>
      <p class="lead">{messages.lead}</p>
      <Form form={form} label={messages.title}>
        <Field
          form={form}
          id="fullName"
          name="fullName"
          label={registerMessages.fullName}
          autocomplete="name"
        />
        <Field
          form={form}
          id="email"
          name="email"
          type="email"
          label={registerMessages.email}
          autocomplete="username"
        />
        <NewPasswordField
          form={form}
          id="password"
          name="password"
          label={registerMessages.password}
          email={form.values.email}
        />
        <SubmitButton form={form} busyLabel={messages.submitting}>
          {messages.submit}
        </SubmitButton>
      </Form>
    </View>
  );
}

async function goOn({ email, password }: Record<Name, string>): Promise<void> {
  forgetToken(TOKEN_KEY);
  rememberedEmail.write(email);
  const target = pageData.base + next;
  const { data } = await client.signIn({ email, password });
  if (data?.status === 'signed_in') await navigateTo(target);
  // A second factor is required, or the public address is another one: the sign-in page goes on.
  else await navigateTo(linkTo(`${pageData.base}/login`, { returnTo: target }));
}

const isTaken = (failure: Failure): boolean => 'reason' in failure && failure.reason === 'email_taken';

/** Returns what a failure means for the link; undefined if another attempt may succeed. */
function refusalOf(failure: Failure): Refusal | undefined {
  if (faultsOf(failure).some(({ pointer }) => pointer === '/token')) return 'unusable';
  return failure.code === 'conflict' && !isTaken(failure) ? 'exists' : undefined;
}

mount(<FirstAdministratorPage />);

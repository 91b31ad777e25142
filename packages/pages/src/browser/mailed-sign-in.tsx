import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas, SignInOutcome } from '@latchkey/client';
import { loginMessages, loginScriptMessages } from '../messages/en/login.js';
import { mailedSignInMessages as messages } from '../messages/en/mailed-sign-in.js';
import { client } from './client.js';
import { failureText } from './failure-text.js';
import type { Failure } from './failure.js';
import { mailedRequest } from './mailed-sign-in-request.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { purpose, withReturn } from './purpose.js';
import { rememberedEmail } from './remembered-email.js';
import { homeAddress, mayHaveSession, navigateTo } from './session.js';
import { Button } from './ui/button.js';
import { Field } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { mount } from './ui/mount.js';
import { ResendButton } from './ui/resend-button.js';
import { canAnswer, SecondStep, useSecondStepViews } from './ui/second-step.js';
import { useForm, type FormState } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

const TOKEN_KEY = 'latchkey.mailed-sign-in-token';

type State =
  | { view: 'request' }
  | { view: 'sent' }
  | { view: 'opening' }
  | { view: 'elsewhere' | 'unusable' }
  | { view: 'second-step'; challenge: Schemas['SecondFactorChallenge'] }
  | { view: 'failed'; text: string; isRepeatable: boolean };

/** The code of the opened link. It was sent to no server, and leaves the address bar with the token. */
const codeOfLink = location.hash.slice(1);

const isRefused = (failure: Failure): boolean => failure.code === 'unauthorized';

/** Sends the mail, and keeps the verifier where the page of the link finds it. */
async function sendMail(email: string): Promise<Failure | undefined> {
  const kept = mailedRequest.read();
  const verifier = kept?.email === email ? kept.verifier : undefined;
  const { data, error } = await client.mailedSignIn.request({ email, verifier });
  if (data) mailedRequest.write(data.verifier, email);
  return error;
}

/** Goes on after the first factor: to the second one, or to the target. */
async function proceed(outcome: SignInOutcome): Promise<State> {
  if (outcome.status === 'second_factor_required') {
    const { secondFactor: challenge } = outcome;
    return canAnswer(challenge, pageData.passkeys)
      ? { view: 'second-step', challenge }
      : { view: 'failed', text: loginScriptMessages.stepNotOffered, isRepeatable: false };
  }
  return goOn();
}

async function goOn(): Promise<State> {
  if (!mayHaveSession())
    return { view: 'failed', text: loginScriptMessages.cookiesBlocked, isRepeatable: false };
  const kept = mailedRequest.read();
  mailedRequest.clear();
  if (kept) rememberedEmail.write(kept.email);
  return navigateTo(kept?.target ?? (await homeAddress()));
}

/** Ends the sign-in of an opened link, if this browser has asked for it. */
async function open(token: string): Promise<State> {
  const kept = mailedRequest.read();
  if (!kept) return { view: 'elsewhere' };
  const { data, error } = await client.mailedSignIn.finish({ verifier: kept.verifier, token });
  if (error && !isRefused(error)) return { view: 'failed', text: failureText(error), isRepeatable: true };
  forgetToken(TOKEN_KEY);
  return data ? proceed(data) : { view: 'unusable' };
}

function MailedSignInPage(): VNode {
  const [token] = useState(() => takeToken(TOKEN_KEY));
  const [state, setState] = useState<State>({ view: token === undefined ? 'request' : 'opening' });
  useSecondStepViews(state.view === 'sent' || state.view === 'opening');
  const request = useForm<'email'>({
    initial: { email: rememberedEmail.read() },
    submit: async ({ email }) => {
      const error = await sendMail(email);
      if (!error) setState({ view: 'sent' });
      return error;
    },
  });
  const openNow = (): Promise<void> => open(token ?? '').then(setState);
  useEffect(() => {
    if (token !== undefined) void openNow();
  }, []);
  const again = (): void => {
    forgetToken(TOKEN_KEY);
    setState({ view: 'request' });
  };
  const email = request.values.email;
  if (state.view === 'request') return <RequestView form={request} />;
  if (state.view === 'sent') return <SentView email={email} onState={setState} onAgain={again} />;
  if (state.view === 'opening') return <OpeningView />;
  if (state.view === 'second-step') {
    const fail = (text: string): void => setState({ view: 'failed', text, isRepeatable: false });
    return (
      <SecondStep
        challenge={state.challenge}
        email={mailedRequest.read()?.email ?? email}
        leave={loginMessages.otherAccount}
        withPasskeys={pageData.passkeys}
        onSignedIn={() => void goOn().then(setState)}
        onExpired={() => fail(messages.stepExpired)}
        onLeft={again}
      />
    );
  }
  return <EndedView state={state} onAgain={again} onRepeat={openNow} />;
}

const RequestView = ({ form }: { form: FormState<'email'> }): VNode => (
  <View name="request" heading={loginMessages.title}>
    <p class="lead">{purpose}</p>
    <p>{messages.lead}</p>
    <Form form={form} label={loginMessages.title}>
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
    <OtherWay />
  </View>
);

/** Takes the code, which may be typed in another browser than that of the link. */
function SentView({
  email,
  onState,
  onAgain,
}: {
  email: string;
  onState: (state: State) => void;
  onAgain: () => void;
}): VNode {
  const form = useForm<'code'>({
    initial: { code: '' },
    submit: async ({ code }) => {
      const { verifier = '' } = mailedRequest.read() ?? {};
      const { data, error } = await client.mailedSignIn.finish({ verifier, code });
      if (data) onState(await proceed(data));
      return error;
    },
    explain: (failure) => (isRefused(failure) ? { field: 'code', text: messages.wrongCode } : undefined),
  });
  return (
    <View name="sent" heading={messages.sentHeading}>
      <p class="lead">{fillText(messages.sentLead, { email: <strong>{email}</strong> })}</p>
      <Form form={form} label={messages.sentHeading}>
        <Field
          form={form}
          id="code"
          name="code"
          label={messages.code}
          hint={messages.codeHint}
          autocomplete="one-time-code"
          isCode
          isFirst
        />
        <SubmitButton form={form} busyLabel={messages.signingIn}>
          {messages.submit}
        </SubmitButton>
      </Form>
      <div class="actions">
        <ResendButton
          label={messages.sendAgain}
          waits={messages.sendAgainIn}
          sent={messages.sentAgain}
          send={() => sendMail(email)}
        />
        <Button onPress={onAgain}>{messages.otherEmail}</Button>
      </div>
      <OtherWay />
    </View>
  );
}

const OpeningView = (): VNode => (
  <View name="opening" heading={messages.moment}>
    <p class="lead">
      <span class="spinner" />
      {messages.signingIn}
    </p>
  </View>
);

/** Says why the link does not sign in here, and leads on. */
function EndedView({
  state,
  onAgain,
  onRepeat,
}: {
  state: Extract<State, { view: 'failed' }> | { view: 'elsewhere' | 'unusable' };
  onAgain: () => void;
  onRepeat: () => Promise<void>;
}): VNode {
  if (state.view === 'elsewhere') return <ElsewhereView />;
  const isFailed = state.view === 'failed';
  return (
    <Ended
      name={state.view}
      heading={isFailed ? messages.failedHeading : messages.unusableHeading}
      text={isFailed ? state.text : messages.unusable}
    >
      {isFailed && state.isRepeatable && (
        <Button rank="primary" onPress={onRepeat}>
          {messages.tryAgain}
        </Button>
      )}
      <Button onPress={onAgain}>{messages.again}</Button>
    </Ended>
  );
}

/** Shows the code of a link that was opened in another browser than the one that asked. */
const ElsewhereView = (): VNode => (
  <View name="elsewhere" heading={messages.elsewhereHeading}>
    <p class="lead">{codeOfLink === '' ? messages.elsewhereWithoutCode : messages.elsewhere}</p>
    {codeOfLink !== '' && (
      <p class="secret">
        <code>{codeOfLink}</code>
      </p>
    )}
    <p>{messages.warning}</p>
  </View>
);

const OtherWay = (): VNode => (
  <p class="aside">
    <a href={withReturn('login')}>{messages.otherWay}</a>
  </p>
);

mount(<MailedSignInPage />);

import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas, SignInOutcome } from '@latchkey/client';
import { loginMessages as messages, loginScriptMessages as moreMessages } from '../messages/en/login.js';
import { client } from './client.js';
import { reasonOf, UNREACHABLE } from './failure-text.js';
import { invitedEmail } from './invited-email.js';
import { linkTo } from './keep-language.js';
import { pageData } from './page-data.js';
import {
  isDismissed,
  offerPasskeyAutofill,
  passkeysWork,
  signInWithPasskey,
  stopOffering,
  type PasskeyOutcome,
} from './passkey.js';
import { isForInvitation, isForLink, purpose, withReturn } from './purpose.js';
import { rememberedEmail } from './remembered-email.js';
import { fetchMe, mayHaveSession, mayOpenConsole, navigateTo, type Me } from './session.js';
import { outlivesPage } from './tab-storage.js';
import { Button } from './ui/button.js';
import { Field, PasswordField } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { HomeLinks } from './ui/home-links.js';
import { ContinueLink, LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { Notice } from './ui/notice.js';
import { ProviderButtons } from './ui/provider-buttons.js';
import { canAnswer, SecondStep, useSecondStepViews } from './ui/second-step.js';
import { useForm, type FormState } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

const target = pageData.returnTo ?? pageData.webApp;

type Credentials = FormState<'email' | 'password'>;

type State =
  | { view: 'checking' | 'form' | 'signed-out' }
  | { view: 'second-step'; challenge: Schemas['SecondFactorChallenge']; email: string; isByPassword: boolean }
  | { view: 'signed-in'; me: Me };

/** The email with which the form is filled in: that of the invitation, else that of the last sign-in. */
const knownEmail = (): string => (isForInvitation && invitedEmail.read()) || rememberedEmail.read();

/** The outcome of a sign-in: the target, without one the account or the state of the page for staff, or the notice of the form. */
async function ended(email: string): Promise<State | string> {
  stopOffering();
  if (!mayHaveSession()) return moreMessages.cookiesBlocked;
  if (email !== '') rememberedEmail.write(email);
  invitedEmail.clear();
  if (target !== undefined) await navigateTo(target);
  const me = await fetchMe();
  if (!me) return UNREACHABLE;
  const mayGo = pageData.cookieMode || outlivesPage;
  return mayOpenConsole(me) || !mayGo ? { view: 'signed-in', me } : navigateTo(linkTo('account'));
}

function useSignIn() {
  const [state, setState] = useState<State>({ view: mayHaveSession() ? 'checking' : 'form' });
  const form: Credentials = useForm<'email' | 'password'>({
    initial: { email: knownEmail(), password: '' },
    submit: async (credentials) => {
      const { data, error } = await client.signIn(credentials);
      if (!error) await proceed(data, credentials.email, true);
      return error;
    },
  });
  const showForm = (notice: string): void => {
    setState({ view: 'form' });
    form.say(notice);
  };
  /** @param email the one that signed in with a password; empty after a passkey. */
  const finish = async (email: string): Promise<void> => {
    const next = await ended(email);
    if (typeof next === 'string') showForm(next);
    else setState(next);
  };
  /** Goes on after the first factor. @param isByPassword whether the email signed in with its password. */
  const proceed = async (outcome: SignInOutcome, email: string, isByPassword: boolean): Promise<void> => {
    if (outcome.status === 'signed_in') await finish(isByPassword ? email : '');
    else if (canAnswer(outcome.secondFactor, pageData.passkeys)) {
      stopOffering();
      form.set('password', '');
      setState({ view: 'second-step', challenge: outcome.secondFactor, email, isByPassword });
    } else form.say(moreMessages.stepNotOffered);
  };
  useEffect(() => {
    if (state.view === 'checking')
      void fetchMe().then((me) => setState(me ? { view: 'signed-in', me } : { view: 'form' }));
  }, []);
  return { state, form, setState, proceed, finish, showForm };
}

/** Email and password, or a passkey; a second step where the account has one; then back. */
function LoginPage(): VNode {
  const { state, form, setState, proceed, finish, showForm } = useSignIn();
  /** Starts for another account, of which nothing is known. */
  const startAgain = (): void => {
    rememberedEmail.clear();
    invitedEmail.clear();
    form.reset({ email: '', password: '' });
    setState({ view: 'form' });
    focusSoon('#email');
  };
  const askForPasswordAgain = (): void => {
    showForm(moreMessages.stepExpired);
    focusSoon('#password');
  };
  if (state.view === 'second-step') {
    return (
      <SecondStep
        challenge={state.challenge}
        email={state.email}
        leave={messages.otherAccount}
        withPasskeys={pageData.passkeys}
        onSignedIn={() => finish(state.isByPassword ? state.email : '')}
        onExpired={askForPasswordAgain}
        onLeft={startAgain}
      />
    );
  }
  if (state.view === 'checking') return <CheckingView />;
  if (state.view === 'signed-in')
    return <SignedInView me={state.me} onSignedOut={() => setState({ view: 'signed-out' })} />;
  if (state.view === 'signed-out') {
    return (
      <Ended name="signed-out" heading={messages.signedOut} text={messages.mayClose}>
        <LinkButton href={linkTo('login')}>{messages.signInAgain}</LinkButton>
      </Ended>
    );
  }
  return (
    <FormView
      form={form}
      onPasskey={(outcome) => proceed(outcome, form.values.email, false)}
      onStartAgain={startAgain}
    />
  );
}

const CheckingView = (): VNode => (
  <View name="checking" heading={messages.moment}>
    <p class="lead">
      <span class="spinner" />
      {messages.checking}
    </p>
  </View>
);

/** Moves the focus once the view is there: states that have just been set are rendered by a microtask before this one. */
function focusSoon(selector: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.focus());
}

interface FormViewProps {
  form: Credentials;
  onPasskey: (outcome: SignInOutcome) => Promise<void>;
  onStartAgain: () => void;
}

/** The password gets the focus where the email is known from an invitation, and when the sign-in was refused. */
function usePasswordFocus(form: Credentials): void {
  useLayoutEffect(() => {
    if (isForInvitation && invitedEmail.read() !== '')
      document.querySelector<HTMLElement>('#password')?.focus();
  }, []);
  useLayoutEffect(() => {
    if (form.failure?.code !== 'unauthorized') return;
    const password = document.querySelector<HTMLInputElement>('#password');
    password?.focus();
    password?.select();
  }, [form.attempts]);
}

function FormView({ form, onPasskey, onStartAgain }: FormViewProps): VNode {
  usePasswordFocus(form);
  useSecondStepViews(form.values.password !== '');
  const mayRegister = pageData.mayRegister && !isForInvitation && !isForLink;
  const hasPasskeys = pageData.passkeys && passkeysWork();
  // A sign-in there proves too little to link another account.
  const hasProviders = pageData.providers.length > 0 && !isForLink;
  return (
    <View name="form" heading={messages.title}>
      <p class="lead">{purpose}</p>
      <Form form={form} label={messages.title}>
        <Field
          form={form}
          id="email"
          name="email"
          type="email"
          label={messages.email}
          autocomplete={pageData.passkeys ? 'username webauthn' : 'username'}
        />
        <PasswordField
          form={form}
          id="password"
          name="password"
          label={messages.password}
          autocomplete="current-password"
          aside={<a href={linkTo('reset-password')}>{messages.forgotPassword}</a>}
        />
        <SubmitButton form={form} busyLabel={messages.signingIn}>
          {messages.submit}
        </SubmitButton>
      </Form>
      <KeepAccount form={form} />
      {(hasPasskeys || hasProviders || pageData.mailedSignIn) && <p class="or">{messages.or}</p>}
      {hasPasskeys && <PasskeyButton form={form} onPasskey={onPasskey} />}
      {pageData.mailedSignIn && (
        <LinkButton href={withReturn('login', { by: 'mail' })}>{messages.byMail}</LinkButton>
      )}
      {hasProviders && <ProviderButtons onFailure={form.fail} />}
      {knownEmail() !== '' && (
        <p class="aside">
          <Button rank="link" onPress={onStartAgain}>
            {messages.otherAccount}
          </Button>
        </p>
      )}
      {mayRegister && <NewHere />}
    </View>
  );
}

const NewHere = (): VNode => (
  <p class="aside">
    {messages.newHere} <a href={withReturn('register')}>{messages.createAccount}</a>
  </p>
);

/** Sends the link again that keeps an account: its deletion is why the sign-in was refused. */
function KeepAccount({ form }: { form: Credentials }): VNode | null {
  const send = async (): Promise<void> => {
    const { error } = await client.account.sendUndoDeletion(form.values.email);
    if (error) form.fail(error);
    else form.say(moreMessages.keepLinkSent, 'info');
  };
  return form.failure && reasonOf(form.failure) === 'deletion_pending' ? (
    <div class="actions">
      <Button onPress={send}>{moreMessages.sendKeepLink}</Button>
    </div>
  ) : null;
}

/** Asks for a passkey, and offers passkeys in the suggestions of the email field while it is there. */
function PasskeyButton({ form, onPasskey }: Omit<FormViewProps, 'onStartAgain'>): VNode {
  // An offer outlives the rendering in which it was made.
  const latest = useRef({ form, onPasskey });
  latest.current = { form, onPasskey };
  const settle = async ({ data, error }: PasskeyOutcome): Promise<void> => {
    const now = latest.current;
    if (!error) await now.onPasskey(data);
    else if (error.code === 'unauthorized') now.form.say(moreMessages.passkeyFailed);
    else if (!isDismissed(error)) now.form.fail(error);
  };
  const offer = async (): Promise<void> => {
    const outcome = await offerPasskeyAutofill();
    if (outcome) await settle(outcome);
  };
  const pick = async (): Promise<void> => {
    form.say('');
    const outcome = await signInWithPasskey();
    if (outcome.error && isDismissed(outcome.error)) form.say(moreMessages.noPasskey, 'info');
    else await settle(outcome);
    // The dialog of the browser has ended the suggestions.
    if (!outcome.ok) void offer();
  };
  useEffect(() => void offer(), []);
  return <Button onPress={pick}>{messages.usePasskey}</Button>;
}

/** Leads on: to the target, else staff to the console and everyone else to the account. */
function SignedInView({ me, onSignedOut }: { me: Me; onSignedOut: () => void }): VNode {
  const [notice, setNotice] = useState('');
  const signOut = async (): Promise<void> => {
    await client.signOut();
    if (mayHaveSession()) setNotice(moreMessages.stillSignedIn);
    else onSignedOut();
  };
  return (
    <View name="signed-in" heading={messages.signedIn}>
      <p class="lead">{fillText(messages.signedInAs, { email: <strong>{me.email}</strong> })}</p>
      {notice !== '' && <Notice>{notice}</Notice>}
      <div class="actions">
        {target !== undefined && <ContinueLink target={target} />}
        <HomeLinks isStaff={mayOpenConsole(me)} isSecond={target !== undefined} />
        <Button onPress={signOut}>{messages.signOut}</Button>
      </div>
    </View>
  );
}

mount(<LoginPage />);

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { InvitationOutcome, ResponseData } from '@latchkey/client';
import {
  acceptInvitationMessages as messages,
  acceptInvitationScriptMessages as moreMessages,
} from '../messages/en/accept-invitation.js';
import { client } from './client.js';
import { ClosedInvitation, isClosed } from './closed-invitation.js';
import { isSignedOut, type Failure } from './failure.js';
import { invitedEmail } from './invited-email.js';
import { languageQuery, linkTo } from './keep-language.js';
import { takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { PAGE_REGION } from './page-region.js';
import { fetchMe, mayOpenConsole, type Me } from './session.js';
import { Button } from './ui/button.js';
import { Field } from './ui/field.js';
import { fillText } from './ui/fill-text.js';
import { Form, SubmitButton } from './ui/form.js';
import { HomeLinks } from './ui/home-links.js';
import { ContinueLink, LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { NewPasswordField } from './ui/new-password-field.js';
import { canAnswer, SecondStep, useSecondStepViews } from './ui/second-step.js';
import { useForm } from './ui/use-form.js';
import { Ended, View } from './ui/view.js';

type Preview = ResponseData<'GET', '/auth/invitations/preview'>;
type Newcomer = Omit<Parameters<typeof client.invitations.accept>[0], 'token'>;

type OpenState = { view: 'newcomer' | 'account' | 'join' } | { view: 'wrong-account'; current: string };
type State =
  | OpenState
  | { view: 'opening' }
  | { view: 'closed'; failure: Failure | undefined }
  | { view: 'second-step'; outcome: Extract<InvitationOutcome, { status: 'second_factor_required' }> }
  | { view: 'joined' }
  | { view: 'joined-signed-out' };

function useInvitation() {
  // Kept in the tab after acceptance, so that a reload shows the state of the invitation.
  const [token] = useState(() => takeToken('latchkey.invitation'));
  const [state, setState] = useState<State>({ view: 'opening' });
  const [offer, setOffer] = useState<Preview>();
  const [isStaff, setStaff] = useState(false);
  const open = async (): Promise<void> => {
    if (token === undefined) {
      setState({ view: 'closed', failure: undefined });
      return;
    }
    setState({ view: 'opening' });
    const { data, error } = await client.invitations.preview(token);
    if (error) setState({ view: 'closed', failure: error });
    else {
      setOffer(data);
      const me = await fetchMe();
      setStaff(me !== undefined && mayOpenConsole(me));
      setState(stateOf(data, me));
    }
  };
  /** Accepts the invitation. If the session has ended meanwhile, the page starts again. */
  const join = async (newcomer: Newcomer = {}): Promise<Failure | undefined> => {
    const { data, error } = await client.invitations.accept({ token: token ?? '', ...newcomer });
    if (!error) setState(stateAfter(data));
    else if (isSignedOut(error)) await open();
    else if (isClosed(error)) setState({ view: 'closed', failure: error });
    else return error;
    return undefined;
  };
  const signOut = async (): Promise<void> => {
    await client.signOut();
    await open();
  };
  useEffect(() => void open(), []);
  return { state, offer, isStaff, setState, open, join, signOut };
}

/** Shows the offer of an invitation, which the user accepts with a button. */
function AcceptInvitationPage(): VNode {
  const invitation = useInvitation();
  const { state, offer, isStaff, setState, open } = invitation;
  const company = offer?.companyName ?? moreMessages.theCompany;
  if (state.view === 'closed') {
    return (
      <ClosedInvitation
        failure={state.failure}
        company={company}
        email={offer?.email}
        toSignIn={offer && <SignInToJoin email={offer.email} />}
        way={<WayOn isStaff={isStaff} />}
        onRetry={open}
      />
    );
  }
  if (state.view === 'opening' || !offer) {
    return (
      <View name="opening" heading={messages.title}>
        <p class="lead">
          <span class="spinner" />
          {messages.opening}
        </p>
      </View>
    );
  }
  if (state.view === 'second-step') {
    const { secondFactor, invitation: joined } = state.outcome;
    return (
      <SecondStep
        challenge={secondFactor}
        email={joined.email}
        leave={messages.setUpLater}
        withPasskeys={false}
        onSignedIn={() => setState({ view: 'joined' })}
        onExpired={() => setState({ view: 'joined-signed-out' })}
        onLeft={() => setState({ view: 'joined-signed-out' })}
      />
    );
  }
  if (state.view === 'joined' || state.view === 'joined-signed-out')
    return (
      <Joined offer={offer} company={company} isSignedIn={state.view === 'joined'}>
        <WayOn isStaff={isStaff} />
      </Joined>
    );
  return <OpenInvitation {...invitation} state={state} offer={offer} company={company} />;
}

/** An invitation that can be accepted: by a new user, after a sign-in, at once, or by another account. */
function OpenInvitation({
  state,
  offer,
  company,
  join,
  signOut,
}: Pick<ReturnType<typeof useInvitation>, 'join' | 'signOut'> & {
  state: OpenState;
  offer: Preview;
  company: string;
}): VNode {
  if (state.view === 'wrong-account') {
    const emails = { current: <strong>{state.current}</strong>, email: <strong>{offer.email}</strong> };
    const text = fillText(messages.wrongAccount, emails);
    return (
      <Ended name="wrong-account" heading={messages.wrongAccountHeading} text={text}>
        <Button rank="primary" onPress={signOut}>
          {messages.signOutAndContinue}
        </Button>
      </Ended>
    );
  }
  const heading = fillText(messages.joinHeading, { company });
  if (state.view === 'newcomer') {
    return (
      <View name="newcomer" heading={heading}>
        <Offer offer={offer} text={messages.invitedNewcomer} />
        <NewcomerForm email={offer.email} onJoin={join} />
      </View>
    );
  }
  return state.view === 'account' ? (
    <View name="account" heading={heading}>
      <Offer offer={offer} text={messages.invitedAccount} />
      <div class="actions">
        <SignInToJoin email={offer.email} />
      </div>
    </View>
  ) : (
    <View name="join" heading={heading}>
      <Offer offer={offer} text={messages.invitedSignedIn} />
      <JoinForm label={messages.join.replace('{company}', () => company)} onJoin={join} />
      <div class="actions">
        <Button onPress={signOut}>{messages.signOut}</Button>
      </div>
    </View>
  );
}

function stateOf(offer: Preview, me: Me | undefined): State {
  if (me) return me.email === offer.email ? { view: 'join' } : { view: 'wrong-account', current: me.email };
  return { view: offer.userExists ? 'account' : 'newcomer' };
}

/** The user is a member by now; a second step concerns the sign-in alone. */
function stateAfter(outcome: InvitationOutcome): State {
  if (outcome.status !== 'second_factor_required') return { view: 'joined' };
  return canAnswer(outcome.secondFactor, false)
    ? { view: 'second-step', outcome }
    : { view: 'joined-signed-out' };
}

function roleOf(offer: Preview): { article: string; role: VNode } {
  const role = moreMessages.role(offer.role);
  return { article: moreMessages.article(role), role: <strong>{role}</strong> };
}

const administratorOf = ({ companyName }: Preview): string =>
  companyName === undefined ? moreMessages.administrator : moreMessages.administratorOf(companyName);

/** Formats times in the time zone of the browser. */
const EXPIRY = new Intl.DateTimeFormat(PAGE_REGION, { dateStyle: 'long', timeStyle: 'short' });

const Offer = ({ offer, text }: { offer: Preview; text: string }): VNode => (
  <>
    <p class="lead">
      {fillText(text, {
        ...roleOf(offer),
        inviter: <strong>{offer.inviterName ?? administratorOf(offer)}</strong>,
        email: <strong>{offer.email}</strong>,
        forgotPassword: <em>{messages.forgotPassword}</em>,
      })}
    </p>
    <p class="lead">
      {fillText(messages.expiry, { expiry: <strong>{EXPIRY.format(new Date(offer.expiresAt))}</strong> })}
    </p>
  </>
);

/** Leads to the sign-in and back; the tab keeps the token, and the email for the form. */
const SignInToJoin = ({ email }: { email: string }): VNode => (
  <LinkButton
    href={linkTo('login', { returnTo: location.pathname + languageQuery() })}
    rank="primary"
    onPress={() => invitedEmail.write(email)}
  >
    {messages.signInToJoin}
  </LinkButton>
);

function NewcomerForm({
  email,
  onJoin,
}: {
  email: string;
  onJoin: (newcomer: Newcomer) => Promise<Failure | undefined>;
}): VNode {
  const form = useForm<'email' | 'fullName' | 'password'>({
    initial: { email, fullName: '', password: '' },
    submit: ({ fullName, password }) => onJoin({ password, ...(fullName.trim() !== '' && { fullName }) }),
  });
  useSecondStepViews(form.values.password !== '');
  return (
    <Form form={form} label={messages.createAccount}>
      <Field
        form={form}
        id="email"
        name="email"
        type="email"
        label={messages.email}
        autocomplete="username"
        isReadOnly
      />
      <Field form={form} id="fullName" name="fullName" label={messages.name} autocomplete="name" isOptional />
      <NewPasswordField form={form} id="password" name="password" label={messages.password} email={email} />
      <SubmitButton form={form} busyLabel={messages.creatingAccount}>
        {messages.createAccount}
      </SubmitButton>
    </Form>
  );
}

function JoinForm({ label, onJoin }: { label: string; onJoin: () => Promise<Failure | undefined> }): VNode {
  const form = useForm<never>({ initial: {}, submit: () => onJoin() });
  return (
    <Form form={form} label={label}>
      <SubmitButton form={form}>{label}</SubmitButton>
    </Form>
  );
}

interface JoinedProps {
  offer: Preview;
  company: string;
  /** False if a second step is to be set up first. */
  isSignedIn: boolean;
  /** The links of a signed-in user. */
  children: VNode;
}

function Joined({ offer, company, isSignedIn, children }: JoinedProps): VNode {
  const heading = fillText(messages.welcome, { company });
  if (!isSignedIn) {
    const text = fillText(messages.joinedSignedOut, roleOf(offer));
    return (
      <Ended name="joined-signed-out" heading={heading} text={text}>
        <LinkButton href={linkTo('login')} rank="primary">
          {messages.signIn}
        </LinkButton>
      </Ended>
    );
  }
  return (
    <Ended name="joined" heading={heading} text={fillText(messages.joined, roleOf(offer))}>
      {children}
    </Ended>
  );
}

/** Leads a signed-in user on: to the web app; without one, to the console or the account. */
const WayOn = ({ isStaff }: { isStaff: boolean }): VNode =>
  pageData.webApp === undefined ? <HomeLinks isStaff={isStaff} /> : <ContinueLink target={pageData.webApp} />;

mount(<AcceptInvitationPage />);

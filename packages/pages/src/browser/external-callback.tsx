import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { externalScriptMessages as messages } from '../messages/en/external.js';
import { loginScriptMessages, loginMessages } from '../messages/en/login.js';
import { uiMessages } from '../messages/en/ui.js';
import { client } from './client.js';
import { closedText, isRepeatable } from './external-failure.js';
import {
  beginFlow,
  leaveNote,
  pendingLink,
  sendSignIn,
  takeFlow,
  type KeptFlow,
  type PendingLink,
} from './external-flow.js';
import { isSignedOut, type Failure } from './failure.js';
import { invitedEmail } from './invited-email.js';
import { pageData } from './page-data.js';
import { homeAddress, mayHaveSession, navigateTo, untilPageIsLeft } from './session.js';
import { Button } from './ui/button.js';
import { ContinueLink, LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { canAnswer, SecondStep, useSecondStepViews } from './ui/second-step.js';
import { Ended, View } from './ui/view.js';

type State =
  | { view: 'opening' }
  | { view: 'elsewhere' }
  | { view: 'second-step'; challenge: Schemas['SecondFactorChallenge'] }
  | { view: 'failed'; text: string; isRepeatable: boolean }
  | { view: 'linked' | 'not-owner' | 'too-old'; link: PendingLink };

const LOGIN = `${pageData.base}/login`;
const ACCOUNT = `${pageData.base}/account`;

type ProviderResponse = Omit<Parameters<typeof client.external.finish>[0], 'verifier'>;

/** The response of the provider. It leaves the address bar and the history at once. */
const response = takeResponse();
const flow = response && takeFlow(response.state);

function takeResponse(): ProviderResponse | undefined {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const state = query.get('state');
  if (state === null) return undefined;
  const given = (name: 'code' | 'error' | 'iss') => {
    const value = query.get(name);
    return value === null ? {} : { [name]: value };
  };
  return { state, ...given('code'), ...given('error'), ...given('iss') };
}

/** The outcome of a page that is left. */
async function leaveFor(address: string): Promise<never> {
  location.replace(address);
  return untilPageIsLeft();
}

/** Ends the flow, and goes on as after a password. */
async function finish(begun: KeptFlow, given: ProviderResponse): Promise<State> {
  const result = await sendSignIn(begun.purpose, () =>
    client.external.finish({ ...given, verifier: begun.verifier }),
  );
  if (!result.ok) return failed(begun, result.error);
  const { data } = result;
  switch (data.status) {
    case 'signed_in':
      return goOn(begun);
    case 'second_factor_required':
      return canAnswer(data.secondFactor, pageData.passkeys)
        ? { view: 'second-step', challenge: data.secondFactor }
        : { view: 'failed', text: loginScriptMessages.stepNotOffered, isRepeatable: false };
    case 'link_required':
      pendingLink.write({ ...begun, token: data.link.token });
      return askToSignIn();
    case 'linked':
    case 'confirmed':
      leaveNote(begun);
      return leaveFor(begun.from);
  }
}

const failed = (begun: KeptFlow, failure: Failure): State => ({
  view: 'failed',
  text: closedText(failure, begun),
  isRepeatable: isRepeatable(failure),
});

/** Goes to the target; without one, to the account, or to the page that offers staff the console. */
async function goOn({ target }: KeptFlow): Promise<State> {
  if (!mayHaveSession())
    return { view: 'failed', text: loginScriptMessages.cookiesBlocked, isRepeatable: false };
  invitedEmail.clear();
  return target === undefined ? leaveFor(await homeAddress()) : navigateTo(target);
}

/** The sign-in page says why, and leads back here. */
const askToSignIn = (): Promise<never> =>
  leaveFor(`${LOGIN}?returnTo=${encodeURIComponent(location.pathname)}`);

/** Links the account that waits, now that its user has signed in as before. */
async function linkNow(link: PendingLink): Promise<State> {
  if (!mayHaveSession()) return askToSignIn();
  const { token, verifier } = link;
  const { error } = await client.external.link({ token, verifier });
  if (error?.code === 'session_revoked') return askToSignIn();
  if (error?.code === 'reauthentication_required') return { view: 'too-old', link };
  if (error && !isFinal(error)) return { view: 'failed', text: closedText(error, link), isRepeatable: true };
  pendingLink.clear();
  if (!error) return { view: 'linked', link };
  return isSignedOut(error)
    ? { view: 'not-owner', link }
    : { view: 'failed', text: closedText(error, link), isRepeatable: false };
}

const isFinal = ({ code }: Failure): boolean =>
  !['network_failure', 'unexpected_response', 'service_unavailable', 'rate_limited'].includes(code);

function CallbackPage(): VNode {
  const [state, setState] = useState<State>({ view: 'opening' });
  const [link] = useState(() => (response ? undefined : pendingLink.read()));
  const begun = flow ?? link;
  const open = async (): Promise<State> => {
    if (link) return linkNow(link);
    return flow && (response.code ?? response.error) !== undefined
      ? finish(flow, response)
      : { view: 'elsewhere' };
  };
  const openNow = (): Promise<void> => open().then(setState);
  useEffect(() => void openNow(), []);
  useSecondStepViews(flow?.purpose === 'sign-in');
  if (state.view === 'opening') return <OpeningView />;
  if (state.view === 'elsewhere' || !begun) return <ElsewhereView />;
  const repeat = async (): Promise<void> => {
    if (link) await openNow();
    else setState(failed(begun, (await beginFlow(begun)).error));
  };
  if (state.view === 'second-step') {
    const endStep = (text: string): void => setState({ view: 'failed', text, isRepeatable: true });
    return (
      <SecondStep
        challenge={state.challenge}
        email=""
        leave={loginMessages.otherAccount}
        withPasskeys={pageData.passkeys}
        onSignedIn={() => void goOn(begun).then(setState)}
        onExpired={() => endStep(messages.stepExpired)}
        onLeft={() => location.replace(begun.from)}
      />
    );
  }
  if (state.view === 'failed') return <FailedView flow={begun} {...state} onRepeat={repeat} />;
  return <LinkView {...state} />;
}

const OpeningView = (): VNode => (
  <View name="opening" heading={messages.moment}>
    <p class="lead">
      <span class="spinner" />
      {messages.asking}
    </p>
  </View>
);

const ElsewhereView = (): VNode => (
  <Ended name="elsewhere" heading={messages.elsewhereTitle} text={messages.elsewhere}>
    <LinkButton href={LOGIN}>{messages.signInHere}</LinkButton>
  </Ended>
);

/** Says what went wrong, and leads on. */
function FailedView({
  flow: { purpose, label, from },
  text,
  ...again
}: {
  flow: KeptFlow;
  text: string;
  isRepeatable: boolean;
  onRepeat: () => Promise<void>;
}): VNode {
  const headings = {
    'sign-in': messages.notSignedIn,
    link: messages.notLinked(label),
    'step-up': messages.notConfirmed,
  };
  return (
    <Ended name="failed" heading={headings[purpose]} text={text}>
      {again.isRepeatable && (
        <Button rank="primary" onPress={again.onRepeat}>
          {messages.tryAgain}
        </Button>
      )}
      <LinkButton href={from} rank={again.isRepeatable ? 'secondary' : 'primary'}>
        {purpose === 'sign-in' ? messages.anotherWay : messages.toAccount}
      </LinkButton>
    </Ended>
  );
}

/** The end of a link of an account whose user has signed in for it. */
function LinkView({
  view,
  link: { label, target },
}: {
  view: 'linked' | 'not-owner' | 'too-old';
  link: PendingLink;
}): VNode {
  if (view === 'too-old') {
    const signInAgain = async (): Promise<void> => {
      await client.signOut();
      await askToSignIn();
    };
    return (
      <Ended name="too-old" heading={messages.notLinked(label)} text={messages.tooOld(label)}>
        <Button rank="primary" onPress={signInAgain}>
          {messages.signInAgain}
        </Button>
        <LinkButton href={ACCOUNT}>{uiMessages.manageAccount}</LinkButton>
      </Ended>
    );
  }
  const isLinked = view === 'linked';
  return (
    <Ended
      name={view}
      heading={isLinked ? messages.linked(label) : messages.notLinked(label)}
      text={isLinked ? messages.linkedText(label) : messages.notOwner(label)}
    >
      {target !== undefined && <ContinueLink target={target} />}
      <LinkButton href={ACCOUNT} rank={target === undefined ? 'primary' : 'secondary'}>
        {uiMessages.manageAccount}
      </LinkButton>
    </Ended>
  );
}

mount(<CallbackPage />);

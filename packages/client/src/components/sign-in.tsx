import { useEffect, useId, useState, type ReactElement } from 'react';
import type { Schemas } from '../api/routes.js';
import { useClient } from '../react/provider.js';
import type { SignInOutcome } from '../session/sign-in.js';
import { Field, SecondaryButton, SubmitForm } from './form.js';
import { MailedStep } from './mailed-step.js';
import { ProviderButtons, useProviderResponse } from './providers.js';
import { SecondStep } from './second-step.js';
import { errorText, useTexts, type Texts } from './texts.js';

/** The properties of `SignIn`. Links without an address are omitted. */
export interface SignInProps {
  /** Called when the session has started, whose state changes, too. */
  onSignedIn?: (() => void) | undefined;
  /** The page for a forgotten password, such as the `/forgot-password` of the service. */
  resetUrl?: string | undefined;
  /** The page for a registration, such as the `/register` of the service. */
  registerUrl?: string | undefined;
  /** The page that sets up a first second factor, such as the `/login` of the service. */
  setUpUrl?: string | undefined;
  /** False if the service has no passkeys. Defaults to what the browser supports. */
  passkeys?: boolean | undefined;
  /** True if the service signs users in by mail (`MAILED_SIGN_IN`). Defaults to false. */
  mail?: boolean | undefined;
  /**
   * The page of this app to which other services send the browser back, as in `EXTERNAL_REDIRECT_URIS`; each connection is appended.
   * Show `SignIn` there, too: it ends the sign-in. Without it there are no buttons of other services.
   */
  callbackUrl?: string | undefined;
  texts?: Partial<Texts> | undefined;
}

/**
 * A form for email and password, with the second step of accounts that need one, and buttons for a passkey, a mailed code, and each
 * other service by which users sign in.
 *
 * @example
 * const signInPage = (props: SignInProps) => SignIn(props);
 */
export function SignIn({ onSignedIn, texts: replaced, ...offered }: SignInProps): ReactElement {
  const texts = useTexts(replaced);
  const steps = useSteps(texts, onSignedIn);
  const { challenge, pending, isEnding } = steps;
  const title = useId();
  return (
    <section className="lk-sign-in" aria-labelledby={title}>
      <h2 id={title}>{challenge ? texts.secondStep : texts.signIn}</h2>
      {isEnding && <p role="status">{texts.loading}</p>}
      {pending && !challenge && <p>{texts.linkFirst.replace('{label}', () => pending.label)}</p>}
      <CurrentStep {...{ texts, steps, offered }} />
    </section>
  );
}

interface StepProps {
  texts: Texts;
  steps: ReturnType<typeof useSteps>;
  /** The ways and links that the app offers. */
  offered: Omit<SignInProps, 'onSignedIn' | 'texts'>;
}

function CurrentStep({ texts, steps, offered }: StepProps): ReactElement {
  const client = useClient();
  const { challenge, problem, setProblem, follow, leaveStep } = steps;
  const [isByMail, setByMail] = useState(false);
  const hasPasskeys = usePasskeySupport() && (offered.passkeys ?? true);
  const withPasskey = async (): Promise<void> => {
    const { data, error } = await client.passkeys.signIn();
    if (data) follow(data);
    else setProblem(errorText(texts, error));
  };
  const byMail = (next: boolean): void => {
    setProblem('');
    setByMail(next);
  };
  const shared = { texts, problem, onProblem: setProblem, onOutcome: follow };
  if (challenge)
    return (
      <SecondStep
        {...{ ...shared, challenge, hasPasskeys, withPasskey, leaveStep }}
        setUpUrl={offered.setUpUrl}
      />
    );
  if (isByMail) return <MailedStep {...shared} onBack={() => byMail(false)} />;
  return (
    <FirstStep
      {...{ texts, steps, offered }}
      withPasskey={hasPasskeys ? withPasskey : undefined}
      onMail={() => byMail(true)}
    />
  );
}

/** The steps of a sign-in, whichever way it begins. */
function useSteps(texts: Texts, onSignedIn: (() => void) | undefined) {
  const client = useClient();
  const [challenge, setChallenge] = useState<Schemas['SecondFactorChallenge']>();
  const [problem, setProblem] = useState('');
  const [pending, setPending] = useState<PendingLink>();
  /** A link that is refused leaves the user signed in; they can link on the page of their account. */
  async function linkAndGoOn({ token, verifier }: PendingLink): Promise<void> {
    setPending(undefined);
    await client.external.link({ token, verifier });
    onSignedIn?.();
  }
  const follow = (outcome: SignInOutcome): void => {
    setProblem('');
    if (outcome.status === 'second_factor_required') setChallenge(outcome.secondFactor);
    else if (pending) void linkAndGoOn(pending);
    else onSignedIn?.();
  };
  const leaveStep = (reason: string): void => {
    setChallenge(undefined);
    setProblem(reason);
  };
  const isEnding = useProviderResponse({
    texts,
    onProblem: setProblem,
    onOutcome: (outcome, { label, verifier }) => {
      if (outcome.status === 'link_required') setPending({ label, verifier, token: outcome.link.token });
      else if (outcome.status === 'signed_in' || outcome.status === 'second_factor_required') follow(outcome);
    },
  });
  return { challenge, pending, problem, isEnding, setProblem, follow, leaveStep };
}

/** An account at another service that is linked once its user has signed in as before. */
interface PendingLink {
  label: string;
  token: string;
  verifier: string;
}

/** Email and password, or another way. */
function FirstStep({
  texts,
  steps,
  offered,
  withPasskey,
  onMail,
}: StepProps & {
  /** Undefined without passkeys. */
  withPasskey: (() => Promise<void>) | undefined;
  onMail: () => void;
}): ReactElement {
  const client = useClient();
  const { pending, problem, setProblem, follow } = steps;
  const { callbackUrl, resetUrl, registerUrl } = offered;

  async function withPassword(fields: Record<string, string>): Promise<void> {
    const { email = '', password = '' } = fields;
    const { data, error } = await client.signIn({ email, password });
    if (data) follow(data);
    else setProblem(error.code === 'unauthorized' ? texts.wrongPassword : errorText(texts, error));
  }

  return (
    <>
      <SubmitForm label={texts.signIn} problem={problem} onSend={withPassword}>
        <Field name="email" label={texts.email} type="email" autoComplete="username webauthn" />
        <Field name="password" label={texts.password} type="password" autoComplete="current-password" />
      </SubmitForm>
      {withPasskey && (
        <SecondaryButton onPress={() => void withPasskey()}>{texts.usePasskey}</SecondaryButton>
      )}
      {offered.mail === true && <SecondaryButton onPress={onMail}>{texts.useMail}</SecondaryButton>}
      {callbackUrl !== undefined && !pending && (
        <ProviderButtons callbackUrl={callbackUrl} texts={texts} onProblem={setProblem} />
      )}
      <Links urls={[resetUrl, registerUrl]} labels={[texts.forgotPassword, texts.createAccount]} />
    </>
  );
}

function Links({ urls, labels }: { urls: (string | undefined)[]; labels: string[] }): ReactElement | null {
  const shown = urls.flatMap((url, index) => (url === undefined ? [] : [{ url, label: labels[index] }]));
  if (shown.length === 0) return null;
  return (
    <p className="lk-links">
      {shown.map(({ url, label }) => (
        <a key={url} href={url}>
          {label}
        </a>
      ))}
    </p>
  );
}

/** False until the page has been mounted: a server cannot know. */
function usePasskeySupport(): boolean {
  const client = useClient();
  const [isSupported, setSupported] = useState(false);
  useEffect(() => setSupported(client.passkeys.isSupported()), [client]);
  return isSupported;
}

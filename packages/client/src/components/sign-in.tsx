import { useEffect, useId, useState, type ReactElement } from 'react';
import type { Schemas } from '../api/routes.js';
import { useClient } from '../react/provider.js';
import type { SignInOutcome } from '../session/sign-in.js';
import { Field, SubmitForm } from './form.js';
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
  texts?: Partial<Texts> | undefined;
}

type Challenge = Schemas['SecondFactorChallenge'];

/**
 * A form for email and password, with the second step of accounts that need one, and a button for a passkey.
 *
 * @example
 * const signInPage = (props: SignInProps) => SignIn(props);
 */
export function SignIn({
  onSignedIn,
  passkeys = true,
  texts: replaced,
  ...links
}: SignInProps): ReactElement {
  const client = useClient();
  const texts = useTexts(replaced);
  const [challenge, setChallenge] = useState<Challenge>();
  const [problem, setProblem] = useState('');
  const hasPasskeys = usePasskeySupport() && passkeys;
  const title = useId();

  const follow = (outcome: SignInOutcome): void => {
    setProblem('');
    if (outcome.status === 'signed_in') onSignedIn?.();
    else setChallenge(outcome.secondFactor);
  };
  const leaveStep = (reason: string): void => {
    setChallenge(undefined);
    setProblem(reason);
  };

  async function withPassword(fields: Record<string, string>): Promise<void> {
    const { email = '', password = '' } = fields;
    const { data, error } = await client.signIn({ email, password });
    if (data) follow(data);
    else setProblem(error.code === 'unauthorized' ? texts.wrongPassword : errorText(texts, error));
  }

  async function withPasskey(): Promise<void> {
    const { data, error } = await client.passkeys.signIn();
    if (data) follow(data);
    else setProblem(errorText(texts, error));
  }

  return (
    <section className="lk-sign-in" aria-labelledby={title}>
      <h2 id={title}>{challenge ? texts.secondStep : texts.signIn}</h2>
      {challenge ? (
        <SecondStep
          {...{ challenge, texts, hasPasskeys, withPasskey, problem, leaveStep }}
          setUpUrl={links.setUpUrl}
          onProblem={setProblem}
          onOutcome={follow}
        />
      ) : (
        <FirstStep {...{ texts, problem, withPassword, hasPasskeys, withPasskey, links }} />
      )}
    </section>
  );
}

/** Email and password, or a passkey. */
function FirstStep(props: {
  texts: Texts;
  problem: string;
  withPassword: (fields: Record<string, string>) => Promise<void>;
  hasPasskeys: boolean;
  withPasskey: () => Promise<void>;
  links: Pick<SignInProps, 'resetUrl' | 'registerUrl'>;
}): ReactElement {
  const { texts, links } = props;
  return (
    <>
      <SubmitForm label={texts.signIn} problem={props.problem} onSend={props.withPassword}>
        <Field name="email" label={texts.email} type="email" autoComplete="username webauthn" />
        <Field name="password" label={texts.password} type="password" autoComplete="current-password" />
      </SubmitForm>
      {props.hasPasskeys && (
        <button className="lk-secondary" type="button" onClick={() => void props.withPasskey()}>
          {texts.usePasskey}
        </button>
      )}
      <Links
        urls={[links.resetUrl, links.registerUrl]}
        labels={[texts.forgotPassword, texts.createAccount]}
      />
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

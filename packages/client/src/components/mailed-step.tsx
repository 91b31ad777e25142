import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useClient } from '../react/provider.js';
import type { SignInOutcome } from '../session/sign-in.js';
import { Field, SecondaryButton, SubmitForm } from './form.js';
import { errorText, type Texts } from './texts.js';

/** A mail that this component has asked for. The verifier never leaves it: a reload asks for another mail. */
interface AskedMail {
  email: string;
  verifier: string;
}

interface MailedStepProps {
  texts: Texts;
  problem: string;
  onProblem: (text: string) => void;
  onOutcome: (outcome: SignInOutcome) => void;
  onBack: () => void;
}

/** A sign-in by mail: asks for the email, and then for the code of the mail. */
export function MailedStep({ texts, problem, onProblem, onOutcome, onBack }: MailedStepProps): ReactElement {
  const client = useClient();
  const [asked, setAsked] = useState<AskedMail>();
  const [isSentAgain, setSentAgain] = useState(false);
  const step = useRef<HTMLDivElement>(null);

  // The form before it is gone and its focus with it.
  useEffect(() => step.current?.querySelector('input')?.focus(), [asked?.verifier]);

  async function ask(email: string): Promise<boolean> {
    const { data, error } = await client.mailedSignIn.request({ email, verifier: asked?.verifier });
    onProblem(data ? '' : errorText(texts, error));
    if (data) setAsked({ email, verifier: data.verifier });
    return data !== undefined;
  }

  async function finish(code: string, { verifier }: AskedMail): Promise<void> {
    const { data, error } = await client.mailedSignIn.finish({ verifier, code });
    if (data) onOutcome(data);
    else onProblem(error.code === 'unauthorized' ? texts.wrongMailedCode : errorText(texts, error));
  }

  return (
    <div ref={step}>
      {asked ? (
        <SubmitForm
          key="code"
          label={texts.signIn}
          problem={problem}
          onSend={({ code = '' }) => finish(code, asked)}
        >
          <p role="status">
            {(isSentAgain ? texts.mailSentAgain : texts.mailSent).replace('{email}', () => asked.email)}
          </p>
          <MailedCodeField texts={texts} />
        </SubmitForm>
      ) : (
        <SubmitForm
          key="email"
          label={texts.sendMail}
          problem={problem}
          onSend={async ({ email = '' }) => void (await ask(email))}
        >
          <Field name="email" label={texts.email} type="email" autoComplete="username" />
        </SubmitForm>
      )}
      {asked && (
        <SecondaryButton onPress={() => void ask(asked.email).then(setSentAgain)}>
          {texts.sendAgain}
        </SecondaryButton>
      )}
      <SecondaryButton onPress={onBack}>{texts.back}</SecondaryButton>
    </div>
  );
}

const MailedCodeField = ({ texts }: { texts: Texts }): ReactElement => (
  <Field
    {...{ name: 'code', type: 'text', autoComplete: 'one-time-code' }}
    label={texts.code}
    hint={texts.mailedCodeHint}
  />
);

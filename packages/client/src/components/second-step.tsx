import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Schemas } from '../api/routes.js';
import { useClient } from '../react/provider.js';
import type { SignInOutcome } from '../session/sign-in.js';
import { Field, SecondaryButton, SubmitForm } from './form.js';
import { errorText, type Texts } from './texts.js';

interface SecondStepProps {
  challenge: Schemas['SecondFactorChallenge'];
  texts: Texts;
  hasPasskeys: boolean;
  withPasskey: () => Promise<void>;
  setUpUrl: string | undefined;
  problem: string;
  onProblem: (text: string) => void;
  onOutcome: (outcome: SignInOutcome) => void;
  leaveStep: (reason: string) => void;
}

/** The second step of a sign-in: a code, a recovery code, or a passkey. */
export function SecondStep(props: SecondStepProps): ReactElement {
  const { challenge, texts, leaveStep } = props;
  const client = useClient();
  const { methods } = challenge;
  const [method, setMethod] = useState(methods.includes('totp') ? 'totp' : 'recovery_code');
  const [trustDevice, setTrustDevice] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  const isCode = method === 'totp';
  const other = isCode ? 'recovery_code' : 'totp';

  // The first control, as the form before it is gone and its focus with it.
  useEffect(() => step.current?.querySelector<HTMLElement>('input, a, button')?.focus(), [method]);

  async function send({ code = '' }: Record<string, string>): Promise<void> {
    const proof = { ...(isCode ? { code } : { recoveryCode: code }), ...(trustDevice && { trustDevice }) };
    const { data, error } = await client.factors.signIn({ challenge: challenge.challenge, ...proof });
    if (data) props.onOutcome(data);
    else if (error.code !== 'unauthorized') props.onProblem(errorText(texts, error));
    else if (error.reason === 'challenge_invalid') leaveStep(texts.expired);
    else props.onProblem(texts.wrongCode);
  }

  const choose = (next: string): void => {
    props.onProblem('');
    setMethod(next);
  };

  return (
    <div ref={step}>
      {challenge.enrol === true ? (
        <SetUpFirst texts={texts} setUpUrl={props.setUpUrl} />
      ) : (
        methods.includes(method) && (
          <SubmitForm key={method} label={texts.confirm} problem={props.problem} onSend={send}>
            <CodeField isCode={isCode} texts={texts} />
            <TrustField {...{ challenge, texts, trustDevice }} onChange={setTrustDevice} />
          </SubmitForm>
        )
      )}
      {methods.includes(other) && (
        <SecondaryButton onPress={() => choose(other)}>
          {isCode ? texts.useRecoveryCode : texts.useCode}
        </SecondaryButton>
      )}
      {methods.includes('passkey') && props.hasPasskeys && (
        <SecondaryButton onPress={() => void props.withPasskey()}>{texts.usePasskey}</SecondaryButton>
      )}
      <SecondaryButton onPress={() => leaveStep('')}>{texts.back}</SecondaryButton>
    </div>
  );
}

function CodeField({ isCode, texts }: { isCode: boolean; texts: Texts }): ReactElement {
  if (!isCode) return <Field name="code" label={texts.recoveryCode} type="text" autoComplete="off" />;
  return (
    <Field
      {...{ name: 'code', type: 'text', autoComplete: 'one-time-code', inputMode: 'numeric' }}
      label={texts.code}
      hint={texts.codeHint}
    />
  );
}

/** The choice to trust this browser, where the service offers it. */
function TrustField(props: {
  challenge: Schemas['SecondFactorChallenge'];
  texts: Texts;
  trustDevice: boolean;
  onChange: (trustDevice: boolean) => void;
}): ReactElement | null {
  const { trustDeviceDays: days } = props.challenge;
  if (days === undefined) return null;
  return (
    <label className="lk-check">
      <input
        type="checkbox"
        checked={props.trustDevice}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      <span>{props.texts.trustDevice.replace('{days}', String(days))}</span>
    </label>
  );
}

const SetUpFirst = ({ texts, setUpUrl }: Pick<SecondStepProps, 'texts' | 'setUpUrl'>): ReactElement => (
  <p>
    {texts.setUpFirst} {setUpUrl !== undefined && <a href={setUpUrl}>{texts.setUp}</a>}
  </p>
);

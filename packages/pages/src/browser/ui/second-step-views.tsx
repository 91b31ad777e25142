import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import {
  secondFactorMessages as messages,
  secondFactorScriptMessages as moreMessages,
} from '../../messages/en/second-factor.js';
import { client } from '../client.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';
import { isDismissed, signInWithPasskey } from '../passkey.js';
import { Button } from './button.js';
import { CodeField } from './code-field.js';
import { Enrolment } from './enrolment.js';
import { Field } from './field.js';
import { fillText } from './fill-text.js';
import { Form, SubmitButton } from './form.js';
import { Notice } from './notice.js';
import { RecoveryCodes } from './recovery-codes.js';
import { TrustChoice, type Trust } from './trust-choice.js';
import { useForm } from './use-form.js';
import { View } from './view.js';

export type Method = 'totp' | 'recovery_code' | 'passkey';

export interface SecondStepProps {
  challenge: Schemas['SecondFactorChallenge'];
  email: string;
  /** The label of the button that leaves the step. */
  leave: string;
  /** True if a passkey completes the sign-in on this page. */
  withPasskeys: boolean;
  onSignedIn: () => Promise<void> | void;
  /** The first factor must be given again. */
  onExpired: () => void;
  /** The user has left the step. */
  onLeft: () => void;
}

/** The second step of a sign-in: proves a second factor, or sets up the first one. All secrets go with it. */
export function SecondStepViews({
  challenge,
  email,
  leave,
  methods,
  ...on
}: Omit<SecondStepProps, 'withPasskeys'> & {
  /** Those that this page offers, the best first. */
  methods: readonly Method[];
}): VNode {
  const [chosen, setChosen] = useState(methods[0] ?? 'totp');
  const [isTrusted, setTrusted] = useState(false);
  // The user stays while a request is on its way: it may sign them in.
  const leaveStep = (): void => {
    if (!document.querySelector('[aria-busy=true]')) on.onLeft();
  };
  const leaveButton = (
    <p>
      <Button rank="link" onPress={leaveStep}>
        {leave}
      </Button>
    </p>
  );
  const shared = { challenge: challenge.challenge, email, leaveButton, ...on };
  if (challenge.enrol)
    return <SetUp {...shared} minutes={Math.max(1, Math.floor(challenge.expiresIn / 60))} />;
  return (
    <ProofView
      key={chosen}
      {...shared}
      method={chosen}
      others={methods.filter((each) => each !== chosen)}
      onChoose={setChosen}
      trust={
        challenge.trustDeviceDays === undefined
          ? undefined
          : { days: challenge.trustDeviceDays, isChosen: isTrusted, onChange: setTrusted }
      }
    />
  );
}

const isCodeWrong = (failure: Failure): boolean => 'reason' in failure && failure.reason === 'code_wrong';

const WRONG_CODE = { field: 'code', text: moreMessages.wrongCode } as const;
const WRONG_RECOVERY_CODE = { field: 'recoveryCode', text: moreMessages.wrongRecoveryCode } as const;

/** Reports whether the sign-in must start again: its challenge has expired, had too many wrong codes, or is outdated. */
const isOver = (failure: Failure): boolean =>
  failure.code === 'not_found' || (failure.code === 'unauthorized' && !isCodeWrong(failure));

interface StepProps extends Pick<SecondStepProps, 'email' | 'onSignedIn' | 'onExpired'> {
  challenge: string;
  leaveButton: VNode;
}

const OTHER_WAYS: Record<Method, string> = {
  totp: messages.useCode,
  recovery_code: messages.useRecoveryCode,
  passkey: messages.usePasskey,
};

/** A passkey is used at once when it is chosen; it is a view of its own only where it is the only way. */
function ProofView({
  method,
  others,
  onChoose,
  ...step
}: StepProps & {
  method: Method;
  others: readonly Method[];
  onChoose: (method: Method) => void;
  trust: Trust | undefined;
}): VNode {
  const [notice, setNotice] = useState<{ text: string; tone?: 'info' }>();
  const usePasskey = async (): Promise<void> => {
    setNotice(undefined);
    setNotice(await failedPasskey(step.onSignedIn));
  };
  const noticeView = notice && <Notice tone={notice.tone ?? 'danger'}>{notice.text}</Notice>;
  return (
    <View name={`second-${method}`} heading={messages.heading}>
      <p class="lead">{fillText(messages.signingInAs, { account: <strong>{step.email}</strong> })}</p>
      {method === 'passkey' ? (
        <>
          <p class="lead">{messages.passkeyLead}</p>
          <div class="actions">
            {noticeView}
            <Button rank="primary" onPress={usePasskey}>
              {messages.usePasskey}
            </Button>
          </div>
        </>
      ) : (
        <CodeForm {...step} method={method} notice={noticeView} onAttempt={() => setNotice(undefined)} />
      )}
      <div class="other-ways">
        {others.map((each) => (
          <p key={each}>
            <Button rank="link" onPress={each === 'passkey' ? usePasskey : () => onChoose(each)}>
              {OTHER_WAYS[each]}
            </Button>
          </p>
        ))}
        {step.leaveButton}
      </div>
    </View>
  );
}

/** Signs in with a passkey, which is a sign-in of its own; the challenge remains unanswered. Returns the notice of a failure. */
async function failedPasskey(
  onSignedIn: SecondStepProps['onSignedIn'],
): Promise<{ text: string; tone?: 'info' } | undefined> {
  const { error } = await signInWithPasskey();
  if (!error) await onSignedIn();
  else if (error.code === 'unauthorized') return { text: moreMessages.passkeyFailed };
  else if (isDismissed(error)) return { text: moreMessages.noPasskey, tone: 'info' };
  else return { text: failureText(error) };
  return undefined;
}

function CodeForm({
  method,
  challenge,
  notice,
  trust,
  onAttempt,
  onSignedIn,
  onExpired,
}: StepProps & {
  method: 'totp' | 'recovery_code';
  trust: Trust | undefined;
  notice: ComponentChildren;
  onAttempt: () => void;
}): VNode {
  const name = method === 'totp' ? 'code' : 'recoveryCode';
  const wrong = name === 'code' ? WRONG_CODE : WRONG_RECOVERY_CODE;
  // A code that sends itself must not count twice when the Enter key follows.
  const refused = useRef<{ code: string; failure: Failure } | undefined>(undefined);
  const form = useForm<'code' | 'recoveryCode'>({
    initial: { code: '', recoveryCode: '' },
    explain: (failure) => (isCodeWrong(failure) ? wrong : undefined),
    submit: async (values) => {
      onAttempt();
      if (refused.current?.code === values[name]) return refused.current.failure;
      const proof = name === 'code' ? { code: values.code } : { recoveryCode: values.recoveryCode };
      const trustDevice = trust?.isChosen === true;
      const { error } = await client.factors.signIn({
        challenge,
        ...proof,
        ...(trustDevice && { trustDevice }),
      });
      if (!error) await onSignedIn();
      else if (isOver(error)) onExpired();
      else {
        if (isCodeWrong(error)) refused.current = { code: values[name], failure: error };
        return error;
      }
      return undefined;
    },
  });
  return (
    <Form form={form} label={messages.heading}>
      {notice}
      {trust && <TrustChoice {...trust} />}
      <CodeField form={form} name={name} />
      <SubmitButton form={form} busyLabel={messages.verifying}>
        {messages.verify}
      </SubmitButton>
    </Form>
  );
}

/** Sets up the first factor of an account that must have one: asks, shows the secret, then the recovery codes. */
function SetUp({ minutes, ...step }: StepProps & { minutes: number }): VNode {
  const [enrolment, setEnrolment] = useState<Schemas['TotpEnrolment']>();
  const [codes, setCodes] = useState<readonly string[]>();
  const account = <strong>{step.email}</strong>;
  if (codes) {
    return (
      <View name="recovery-codes" heading={messages.codesHeading}>
        <p class="lead">{fillText(messages.codesLead, { account })}</p>
        <RecoveryCodes codes={codes} email={step.email} />
        <div class="actions">
          <Button rank="primary" onPress={step.onSignedIn}>
            {messages.codesSaved}
          </Button>
        </div>
      </View>
    );
  }
  if (enrolment) return <EnrolView {...step} enrolment={enrolment} onCodes={setCodes} />;
  return (
    <View
      name="enrol-start"
      heading={fillText(messages.setUpHeading, { twoStep: <span class="unbroken">{messages.twoStep}</span> })}
    >
      <p class="lead">{fillText(messages.setUpLead, { account })}</p>
      <p class="lead">{fillText(messages.setUpTime, { minutes: moreMessages.minutes(minutes) })}</p>
      <EnrolButton {...step} onEnrolment={setEnrolment} />
      <div class="other-ways">{step.leaveButton}</div>
    </View>
  );
}

function EnrolButton({
  challenge,
  onExpired,
  onEnrolment,
}: Pick<StepProps, 'challenge' | 'onExpired'> & {
  onEnrolment: (enrolment: Schemas['TotpEnrolment']) => void;
}): VNode {
  const [notice, setNotice] = useState('');
  const enrol = async (): Promise<void> => {
    setNotice('');
    const { data, error } = await client.request('POST', '/auth/login/second-factor/enrol', {
      body: { challenge },
    });
    if (!error) onEnrolment(data);
    else if (isOver(error)) onExpired();
    else setNotice(failureText(error));
  };
  return (
    <div class="actions">
      {notice !== '' && <Notice>{notice}</Notice>}
      <Button rank="primary" onPress={enrol}>
        {messages.setUp}
      </Button>
    </div>
  );
}

function EnrolView({
  challenge,
  enrolment,
  onExpired,
  onCodes,
  leaveButton,
}: StepProps & { enrolment: Schemas['TotpEnrolment']; onCodes: (codes: readonly string[]) => void }): VNode {
  const form = useForm<'code'>({
    initial: { code: '' },
    explain: (failure) => (isCodeWrong(failure) ? WRONG_CODE : undefined),
    submit: async ({ code }) => {
      const body = { challenge, id: enrolment.id, code };
      const { data, error } = await client.request('POST', '/auth/login/second-factor/enrol/confirm', {
        body,
      });
      if (error && !isOver(error)) return error;
      if (error) onExpired();
      else {
        await client.session.start(data);
        onCodes(data.recoveryCodes);
      }
      return undefined;
    },
  });
  return (
    <View name="enrol" heading={messages.addHeading}>
      <Enrolment {...enrolment} />
      <Form form={form} label={messages.confirmApp}>
        <Field
          form={form}
          id="enrol-code"
          name="code"
          label={messages.code}
          hint={messages.enrolCodeHint}
          autocomplete="one-time-code"
          inputMode="numeric"
          isCode
        />
        <SubmitButton form={form} busyLabel={messages.confirming}>
          {messages.confirm}
        </SubmitButton>
      </Form>
      <div class="other-ways">{leaveButton}</div>
    </View>
  );
}

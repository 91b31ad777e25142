import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { stepUpMessages as messages, uiMessages } from '../../messages/en/ui.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';
import { isDismissed } from '../passkey.js';
import { Button } from './button.js';
import { Actions, Dialog } from './dialog.js';
import { Notice } from './notice.js';
import { ProviderProofs } from './provider-proofs.js';
import { StepUpForm } from './step-up-form.js';
import { stepUpMethods, type StepUpMethod } from './step-up-methods.js';
import { proveByPasskey } from './step-up-proof.js';

const LABELS: Record<StepUpMethod, string> = {
  password: messages.usePassword,
  code: messages.useCode,
  recoveryCode: messages.useRecoveryCode,
  passkey: messages.usePasskey,
};

/** Asks the signed-in user for a proof of identity, by the ways that the account has. */
export function StepUpDialog({
  email,
  needsFactor,
  onAnswer,
}: {
  email: string;
  /** True if a password is not enough. */
  needsFactor: boolean;
  onAnswer: (isRaised: boolean) => void;
}): VNode {
  const [methods, setMethods] = useState<StepUpMethod[]>();
  const [failure, setFailure] = useState<Failure>();
  const [chosen, setChosen] = useState<StepUpMethod>();
  const load = async (): Promise<void> => {
    setFailure(undefined);
    const found = await stepUpMethods(needsFactor);
    if (Array.isArray(found)) setMethods(found);
    else setFailure(found);
  };
  useEffect(() => void load(), []);
  const method = chosen ?? methods?.[0];
  const cancel = (): void => onAnswer(false);
  return (
    <Dialog title={messages.title} onClose={cancel} isOnTop>
      <p class="dialog-text">
        {methods && methods.length > 0 && `${leadOf(methods, needsFactor)} `}
        {messages.signedInAs(email)}
      </p>
      {failure && <Notice>{failureText(failure)}</Notice>}
      {methods?.length === 0 && <Notice>{messages.noMethod}</Notice>}
      {!methods && !failure && <p class="dialog-text">{messages.checking}</p>}
      {method === undefined ? (
        <Actions>
          <Button onPress={cancel}>{uiMessages.cancel}</Button>
          {failure && (
            <Button rank="primary" onPress={load}>
              {uiMessages.tryAgain}
            </Button>
          )}
        </Actions>
      ) : (
        <Proof key={method} method={method} email={email} onAnswer={onAnswer} />
      )}
      <OtherWays methods={methods?.filter((each) => each !== method) ?? []} onChoose={setChosen} />
      {!needsFactor && <ProviderProofs />}
    </Dialog>
  );
}

/** Returns why the user is asked, which differs between a sign-in that is too old and one without a second factor. */
function leadOf(methods: readonly StepUpMethod[], needsFactor: boolean): string {
  if (!needsFactor) return messages.leadRecent;
  return methods.every((method) => method === 'passkey') ? messages.leadPasskey : messages.leadApp;
}

interface ProofProps {
  method: StepUpMethod;
  email: string;
  onAnswer: (isRaised: boolean) => void;
}

const Proof = ({ method, email, onAnswer }: ProofProps): VNode =>
  method === 'passkey' ? (
    <PasskeyProof onAnswer={onAnswer} />
  ) : (
    <StepUpForm method={method} email={email} onAnswer={onAnswer} />
  );

function PasskeyProof({ onAnswer }: Pick<ProofProps, 'onAnswer'>): VNode {
  const [notice, setNotice] = useState('');
  const prove = async (): Promise<void> => {
    setNotice('');
    const error = await proveByPasskey();
    if (!error) onAnswer(true);
    else if (error.code === 'unauthorized') setNotice(messages.wrongPasskey);
    else if (!isDismissed(error)) setNotice(failureText(error));
  };
  return (
    <>
      {notice !== '' && <Notice>{notice}</Notice>}
      <Actions>
        <Button onPress={() => onAnswer(false)}>{uiMessages.cancel}</Button>
        <Button rank="primary" onPress={prove} isFirst>
          {messages.usePasskey}
        </Button>
      </Actions>
    </>
  );
}

const OtherWays = ({
  methods,
  onChoose,
}: {
  methods: readonly StepUpMethod[];
  onChoose: (method: StepUpMethod) => void;
}): VNode | null =>
  methods.length === 0 ? null : (
    <ul class="other-ways" aria-label={messages.otherWays}>
      {methods.map((method) => (
        <li key={method}>
          <button type="button" class="link" onClick={() => onChoose(method)}>
            {LABELS[method]}
          </button>
        </li>
      ))}
    </ul>
  );

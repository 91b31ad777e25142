import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../announce.js';
import { countDown } from '../count-down.js';
import { failureText } from '../failure-text.js';
import { isLimited, secondsToWait, type Failure } from '../failure.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

/** A mail takes a while, and the service sends few an hour: an impatient user should not use them up at once. */
const WAIT_SECONDS = 30;

interface ResendButtonProps {
  label: string;
  /** Returns the label while the button counts. */
  waits: (seconds: number) => string;
  /** The notice after success. */
  sent: string;
  /** Requests the mail again. */
  send: () => Promise<Failure | undefined>;
}

/** A button that requests a mail again, counts down before it can be pressed, and says what came of it. */
export function ResendButton({ label, waits, sent, send }: ResendButtonProps): VNode {
  const [wait, setWait] = useState({ seconds: WAIT_SECONDS });
  const [left, setLeft] = useState(WAIT_SECONDS);
  const [notice, setNotice] = useState<{ tone: 'success' | 'danger'; text: string }>();
  useEffect(
    () =>
      countDown(wait.seconds, setLeft, () => {
        setLeft(0);
        announce(label);
      }),
    [wait],
  );
  const press = async (): Promise<void> => {
    setNotice(undefined);
    const failure = await send();
    setNotice(failure ? { tone: 'danger', text: failureText(failure) } : { tone: 'success', text: sent });
    if (!failure) setWait({ seconds: WAIT_SECONDS });
    else if (isLimited(failure)) setWait({ seconds: Math.max(secondsToWait(failure), 1) });
  };
  return (
    <>
      {notice && <Notice tone={notice.tone}>{notice.text}</Notice>}
      <Button onPress={press} isDisabled={left > 0}>
        {left > 0 ? waits(left) : label}
      </Button>
    </>
  );
}

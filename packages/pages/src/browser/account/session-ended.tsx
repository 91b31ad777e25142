import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SignedOutReason } from '@latchkey/client';
import { accountFrameMessages as messages } from '../../messages/en/account.js';
import { signInAddress } from './sign-in-link.js';

const TEXTS: Record<SignedOutReason, string> = {
  revoked: messages.sessionEnded,
  expired: messages.sessionExpired,
  signed_out: messages.signedOutHere,
  none: messages.sessionEnded,
};

/** Says that the session has ended, and leads to the sign-in. */
export function SessionEnded({ reason }: { reason: SignedOutReason }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <main class="panel ended">
      <div class="panel-head">
        <h1 ref={heading} tabIndex={-1}>
          {messages.signedOut}
        </h1>
        <p class="panel-lead">{TEXTS[reason]}</p>
      </div>
      <div class="panel-actions">
        <a class="button primary" href={signInAddress()}>
          {messages.signInAgain}
        </a>
      </div>
    </main>
  );
}

import type { VNode } from 'preact';
import type { SignedOutReason } from '@latchkey/client';
import { accountFrameMessages as messages } from '../../messages/en/account.js';
import { WholePage } from '../ui/whole-page.js';
import { signInAddress } from './sign-in-link.js';

const TEXTS: Record<SignedOutReason, string> = {
  revoked: messages.sessionEnded,
  expired: messages.sessionExpired,
  signed_out: messages.signedOutHere,
  none: messages.sessionEnded,
};

/** Says that the session has ended, and leads to the sign-in. */
export const SessionEnded = ({ reason }: { reason: SignedOutReason }): VNode => (
  <WholePage title={messages.signedOut} text={TEXTS[reason]}>
    <a class="button primary" href={signInAddress()}>
      {messages.signInAgain}
    </a>
  </WholePage>
);

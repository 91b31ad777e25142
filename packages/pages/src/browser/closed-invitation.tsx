import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { acceptInvitationMessages as messages } from '../messages/en/accept-invitation.js';
import { countDown } from './count-down.js';
import { failureText, waitText } from './failure-text.js';
import { isLimited, secondsToWait, type Failure } from './failure.js';
import { linkTo } from './keep-language.js';
import { Button } from './ui/button.js';
import { fillText } from './ui/fill-text.js';
import { LinkButton } from './ui/link-button.js';
import { Ended } from './ui/view.js';

/** Reports whether a failure closes the invitation, so that its form is of no use. */
export const isClosed = ({ code }: Failure): boolean => code === 'conflict' || code === 'not_found';

interface ClosedInvitationProps {
  /** Undefined without a token. */
  failure: Failure | undefined;
  company: string;
  /** Of the invitation, as far as it is known. */
  email: string | undefined;
  /** Leads to the sign-in and back. */
  toSignIn: ComponentChildren;
  /** Leads a signed-in user on. */
  way: ComponentChildren;
  onRetry: () => Promise<void>;
}

/** An invitation that cannot be accepted, for good or at the moment. Each state leads on. */
export function ClosedInvitation({ failure, ...props }: ClosedInvitationProps): VNode {
  if (!failure) return <Closed name="unknown" heading={messages.unknownHeading} text={messages.unknown} />;
  if (isLimited(failure)) return <Limited failure={failure} onRetry={props.onRetry} />;
  if (UNREACHABLE.includes(failure.code)) {
    return (
      <Ended name="unreachable" heading={messages.unreachableHeading} text={messages.unreachable}>
        <TryAgain onRetry={props.onRetry} />
      </Ended>
    );
  }
  if (failure.code === 'not_found' || failure.code === 'validation_error')
    return <Closed name="unknown" heading={messages.unknownHeading} text={messages.unknown} />;
  if (failure.code === 'conflict') return <Conflict {...props} failure={failure} reason={failure.reason} />;
  return <Closed name="closed" heading={messages.closedHeading} text={failureText(failure)} />;
}

const UNREACHABLE: readonly string[] = [
  'service_unavailable',
  'internal_error',
  'network_failure',
  'unexpected_response',
];

/** The states that lead to the sign-in, by reason: heading and text. */
const CLOSED: Partial<Record<string, readonly [name: string, heading: string, text: string]>> = {
  invitation_expired: ['expired', messages.expiredHeading, messages.askAgain],
  invitation_withdrawn: ['withdrawn', messages.withdrawnHeading, messages.askAgain],
  invitation_cancelled: ['cancelled', messages.cancelledHeading, messages.cancelled],
};

function Conflict({
  failure,
  reason,
  company,
  email,
  toSignIn,
  way,
}: ClosedInvitationProps & { failure: Failure; reason: string }): VNode {
  if (reason === 'invitation_accepted') {
    return (
      <Ended name="accepted" heading={messages.acceptedHeading} text={messages.accepted}>
        <LinkButton href={linkTo('login')} rank="primary">
          {messages.signIn}
        </LinkButton>
      </Ended>
    );
  }
  if (reason === 'member_already') {
    return (
      <Ended name="member" heading={fillText(messages.memberHeading, { company })} text={messages.member}>
        {way}
      </Ended>
    );
  }
  if (reason === 'mailbox_unconfirmed') {
    const text = fillText(messages.mailbox, { email: <strong>{email}</strong> });
    return (
      <Ended name="mailbox" heading={messages.mailboxHeading} text={text}>
        {toSignIn}
        <LinkButton href={linkTo('reset-password')}>{messages.resetPassword}</LinkButton>
      </Ended>
    );
  }
  const [name, heading, text] = CLOSED[reason] ?? ['closed', messages.closedHeading, failureText(failure)];
  return <Closed name={name} heading={heading} text={text} />;
}

const Closed = (props: { name: string; heading: string; text: string }): VNode => (
  <Ended {...props}>
    <LinkButton href={linkTo('login')}>{messages.toSignIn}</LinkButton>
  </Ended>
);

/** Counts the seconds down, then opens the invitation again. */
function Limited({ failure, onRetry }: { failure: Failure; onRetry: () => Promise<void> }): VNode {
  const seconds = secondsToWait(failure);
  const [left, setLeft] = useState(seconds);
  useEffect(() => (seconds > 0 ? countDown(seconds, setLeft, () => void onRetry()) : undefined), [failure]);
  return (
    <Ended name="rate-limited" heading={messages.limitedHeading} text={waitText(left)}>
      <TryAgain onRetry={onRetry} />
    </Ended>
  );
}

const TryAgain = ({ onRetry }: { onRetry: () => Promise<void> }): VNode => (
  <Button rank="primary" onPress={onRetry}>
    {messages.tryAgain}
  </Button>
);

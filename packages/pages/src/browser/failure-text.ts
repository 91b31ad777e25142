import { failureMessages as messages } from '../messages/en/failures.js';
import { isLimited, secondsToWait, type Failure, type FieldFault } from './failure.js';

export const UNREACHABLE = messages.unreachable;

const TEXTS: Partial<Record<string, string>> = messages.byCode;
const FIELD_TEXTS: Partial<Record<string, string>> = messages.fields;

/** Returns the message for a failure: what is wrong, and what to do. @param seconds the time that is left to wait. */
export function failureText(failure: Failure, seconds = secondsToWait(failure)): string {
  const reason = reasonOf(failure);
  if (reason === 'code_limit_reached') return messages.tooManyCodes(seconds);
  if (reason === 'not_while_acting') return messages.notWhileActing;
  if (reason === 'codes_blocked') return messages.codesBlocked;
  if (reason === 'deletion_pending') return messages.deletionPending;
  if (isLimited(failure)) return messages.tooManyAttempts(seconds);
  return TEXTS[failure.code] ?? messages.other(failure.code, reason, failure.message);
}

/** Returns the reason of a failure, or its code. */
export const reasonOf = (failure: Failure): string => ('reason' in failure ? failure.reason : failure.code);

/** Returns the message for a rate limit without its heading. */
export const waitText = (seconds: number): string => messages.wait(seconds);

/** Failures that report the state of an account, which is no mistake of the user. */
const STATES: readonly string[] = ['pending_approval', 'email_unverified'];

/** Returns the kind of notice that a failure is. */
export const noticeKindOf = (failure: Failure): 'info' | 'error' =>
  STATES.includes(failure.code) || reasonOf(failure) === 'deletion_pending' ? 'info' : 'error';

/** Returns the message for an invalid field. */
export const fieldText = ({ reason, message }: FieldFault): string =>
  FIELD_TEXTS[reason] ?? messages.otherField(reason, message);

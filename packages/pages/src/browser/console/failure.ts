import { failureMessages as messages, limitMessages as limits } from '../../messages/en/console/shell.js';
import { isLimited, secondsToWait, type Failure } from '../failure.js';
import { numberText } from './format.js';

const UNREACHABLE: readonly string[] = ['network_failure', 'unexpected_response', 'service_unavailable'];

/** Returns the message for a failure: by its reason, else by its code. */
export function failureText(failure: Failure): string {
  if (isLimited(failure)) {
    const seconds = secondsToWait(failure);
    return seconds > 0 ? limits.wait(numberText(seconds)) : limits.soon;
  }
  if (UNREACHABLE.includes(failure.code)) return messages.unreachable ?? '';
  const reason = 'reason' in failure ? failure.reason : failure.code;
  return messages[reason] ?? messages[failure.code] ?? messages.internal_error ?? '';
}

import { externalScriptMessages as messages } from '../messages/en/external.js';
import type { ExternalFlow } from './external-flow.js';
import { failureText } from './failure-text.js';
import { isLimited, type Failure } from './failure.js';

type Text = string | ((label: string) => string);

const BY_REASON: Partial<Record<string, Text>> = {
  external_sign_in_cancelled: messages.cancelled,
  flow_invalid: messages.over,
  identity_taken: messages.taken,
  identity_limit_reached: messages.limit,
  account_changed: messages.changed,
  account_changed_during_sign_in: messages.changed,
};

const BY_CODE: Partial<Record<string, Text>> = {
  unauthorized: messages.failed,
  validation_error: messages.failed,
  service_unavailable: messages.unavailable,
  registration_disabled: messages.noAccount,
  reauthentication_required: messages.tooOld,
  session_revoked: messages.sessionEnded,
};

/** Returns the message for a flow that has failed: what is wrong, and what to do. */
export function closedText(failure: Failure, { label }: Pick<ExternalFlow, 'label'>): string {
  const reason = 'reason' in failure ? BY_REASON[failure.reason] : undefined;
  const text = reason ?? BY_CODE[failure.code] ?? failureText(failure);
  return typeof text === 'string' ? text : text(label);
}

const REPEATABLE: readonly string[] = [
  'unauthorized',
  'validation_error',
  'service_unavailable',
  'network_failure',
  'unexpected_response',
  'conflict',
  'internal_error',
];

/** Reports whether another attempt may succeed: the flow is spent, so it begins anew. */
export const isRepeatable = (failure: Failure): boolean =>
  REPEATABLE.includes(failure.code) || isLimited(failure);

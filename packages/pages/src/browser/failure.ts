import type { CeremonyError, ServiceError, SessionReplacedError, TransportError } from '@latchkey/client';

/** The error of a request, a step-up or a ceremony. Pages decide by its code and reason, never by a text. */
export type Failure = ServiceError | TransportError | CeremonyError | SessionReplacedError;

export type FieldFault = ServiceError['fields'][number];

/** Returns the invalid fields. */
export const faultsOf = (failure: Failure): readonly FieldFault[] =>
  'fields' in failure ? failure.fields : [];

/** Reports whether a field was refused, named by its JSON pointer. */
export const refuses = (failure: Failure, pointer: string): boolean =>
  faultsOf(failure).some((fault) => fault.pointer === pointer);

/** Reports whether the service or a proxy in front of it limits requests. */
export const isLimited = (failure: Failure): boolean =>
  failure.code === 'rate_limited' || (failure.code === 'unexpected_response' && failure.status === 429);

/** Returns the seconds to wait before the next attempt; 0 if unknown. */
export const secondsToWait = (failure: Failure): number =>
  ('retryAfterSeconds' in failure ? failure.retryAfterSeconds : undefined) ?? 0;

/** Reports whether a failure means that the session has ended. */
export const isSignedOut = ({ code }: Failure): boolean =>
  code === 'unauthorized' || code === 'session_revoked';

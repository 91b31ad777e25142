import type { CeremonyError, ServiceError, TransportError } from '@latchkey/client';

type ClientError = ServiceError | TransportError | CeremonyError;

const TEXTS: Partial<Record<ClientError['code'], string>> = {
  network_failure: 'You are offline. Your session is kept; try again.',
  service_unavailable: 'The service is not available at the moment. Try again.',
  reauthentication_required: 'Sign out and in again to do this.',
  passkey_cancelled: 'No passkey was used.',
};

/** Returns the message for an error: a text of our own by code, and otherwise that of the service. */
export function errorText(error: ClientError): string {
  if (error.code === 'rate_limited') {
    return `Too many attempts. Try again in ${error.retryAfterSeconds ?? 60} seconds.`;
  }
  return TEXTS[error.code] ?? error.message;
}

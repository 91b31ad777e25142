import type { RequestInput, Result, Schemas } from '@latchkey/client';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';

export type ApiKey = Schemas['ApiKey'];

/** The requests that change keys of one owner. */
export interface KeyMethods {
  rename: (id: string, name: string) => Promise<Result<ApiKey, Failure>>;
  /** @param body `overlap` in seconds. */
  rotate: (
    id: string,
    body: NonNullable<RequestInput<'POST', '/auth/api-keys/{id}/rotate'>['body']>,
  ) => Promise<Result<Schemas['NewApiKey'], Failure>>;
  revoke: (id: string) => Promise<Result<unknown, Failure>>;
}

const TEXTS: Partial<Record<string, string>> = messages.failures;

/** Returns the message for a failure that concerns a key. */
export const keyFailureText = (failure: Failure): string =>
  TEXTS['reason' in failure ? failure.reason : ''] ?? TEXTS[failure.code] ?? failureText(failure);

/** Returns the text of a failure above a form; undefined for one with faults of fields, or for the usual text. */
export const explainKeyFailure = (failure: Failure): { text: string } | undefined => {
  const text = TEXTS['reason' in failure ? failure.reason : ''] ?? TEXTS[failure.code];
  return text === undefined ? undefined : { text };
};

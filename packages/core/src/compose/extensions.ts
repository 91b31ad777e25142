import { assertOwnRows, type OwnRows } from '../audit/own-rows.js';
import type { BeforeHooks } from '../hooks/before-hooks.js';
import { assertBeforeHooks } from '../hooks/check-hooks.js';
import { assertOwnMail, type OwnMail } from '../mail/own-mail.js';
import { assertClaimsFunction, type ClaimsFunction } from '../sessions/claims-function.js';

/** Extensions of the service by the host app. */
export interface AuthExtensions {
  /** Claims beside those of the service in every access token: pure, synchronous, at most 1 KiB as JSON. */
  claims?: ClaimsFunction | undefined;
  /** Called before an action; a hook rejects it by throwing an `AuthError`. */
  before?: BeforeHooks | undefined;
  /** Write rows of the app in the transaction of an event. */
  within?: OwnRows | undefined;
  /** Writes and sends the mails of the service. */
  mail?: OwnMail | undefined;
}

/** Throws a TypeError with the correct form for extensions that would fail later. */
export function assertExtensions({ claims, before, within, mail }: AuthExtensions): void {
  assertBeforeHooks(before);
  assertOwnRows(within);
  assertOwnMail(mail);
  assertClaimsFunction(claims);
}

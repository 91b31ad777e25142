/** The typed client of Latchkey for browsers and Node. */
export { createClient, type ClientOptions } from './create-client.js';
export type { Client } from './client.js';
export type { ClientSession } from './session/client-session.js';
export type { SessionListener, SessionState, SignedOutReason } from './session/session-state.js';
export type { SessionStore, StoredSession } from './session/stored-session.js';
export type { SignInOutcome } from './session/sign-in.js';
export type { ClientAccount } from './account/account.js';
export type { ClientRegistration } from './account/registration.js';
export type { ClientHandoff } from './account/handoff.js';
export type { ClientExternal, ExternalOutcome } from './account/external.js';
export type { ClientMailedSignIn } from './account/mailed-sign-in.js';
export type { ClientFactors } from './account/factors.js';
export type { ClientTrustedDevices } from './account/trusted-devices.js';
export type { InvitationOutcome, Invitations } from './account/invitations.js';
export type { Companies } from './account/companies.js';
export type { OwnApiKeys } from './account/api-keys.js';
export type { OwnSessions } from './account/sessions.js';
export type { ClientPasskeys, CeremonyError, PasskeySignInOptions } from './passkeys/passkeys.js';
export type { RequestError, RequestResult } from './api/requester.js';
export {
  stepUpOf,
  type Result,
  type ServiceError,
  type ServiceErrorCode,
  type SessionReplacedError,
  type StepUp,
  type TransportError,
} from './api/client-error.js';
export type { RequestInput, RequestMethod, RequestPath, ResponseData, Schemas } from './api/routes.js';

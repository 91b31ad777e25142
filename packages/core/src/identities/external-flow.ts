import { AuthError } from '../kernel/auth-error.js';

export const FLOW_PURPOSES = ['sign-in', 'link', 'step-up'] as const;
/** The effect of a flow: a session, another identity of the caller, or a raised session. */
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];

/** Seconds that a sign-in may be on its way. */
export const FLOW_SECONDS = 600;
/** Seconds that an identity waits for its user to link it. */
export const LINK_SECONDS = 900;
/** Flows of one address that may be on their way. */
export const MAX_OPEN_FLOWS = 20;

/** Prefix of the states that go through a provider. */
export const STATE_PREFIX = 'lks_';
/** Prefix of the tokens that link an identity. */
export const LINK_PREFIX = 'lkl_';

/** A flow that was begun, as a response of the provider is checked against it. */
export interface ExternalFlow {
  id: string;
  connectionId: string;
  purpose: FlowPurpose;
  nonce: string;
  redirectUri: string;
  returnTo: string | null;
  /** The session that links an identity, or proves its user again. */
  userId: string | null;
  sessionId: string | null;
}

/** The error for a flow that is unknown, expired, spent, of another client, or of another purpose. */
export const flowInvalid = (): AuthError =>
  AuthError.unauthorized(
    'This sign-in is unknown, has expired or was used, or began in another browser. Begin it again.',
    'flow_invalid',
  );

import { z } from 'zod';
import { FLOW_PURPOSES } from '../identities/external-flow.js';
import type { ExternalIdentity } from '../identities/external-identity.js';
import { challengeInput, verifierInput } from '../kernel/verifier-input.js';
import { tokenPair } from '../sessions/session-schema.js';
import { secondFactorRequired } from '../sessions/sign-in-schema.js';
import { EXTERNAL_PROVIDER_TYPES } from '../settings/external-provider-settings.js';

const MAX_TEXT = 2_048;

const connectionId = z.string().min(1).max(64);

/** The provider's answer to the browser, and the verifier of the flow. */
const providerResponse = z.object({
  state: z.string().min(1).max(MAX_TEXT),
  /** The code of the provider; `error` in its place if there is none. */
  code: z.string().min(1).max(MAX_TEXT).optional(),
  /** The error of the provider, such as `access_denied`. */
  error: z.string().min(1).max(256).optional(),
  /** The provider's parameter `iss` (RFC 9207). */
  iss: z.string().min(1).max(MAX_TEXT).optional(),
  verifier: verifierInput,
});

/** Reply with the connections by which users can sign in. */
export const externalConnections = z.array(
  z
    .object({ id: z.string(), type: z.enum(EXTERNAL_PROVIDER_TYPES), label: z.string() })
    .meta({ id: 'ExternalConnection' }),
);
/** The connections by which users can sign in, in the order of the settings. */
export type ExternalConnections = z.output<typeof externalConnections>;

/** Input that begins a flow. */
export const startExternalInput = z.object({
  connectionId,
  /** S256 of the verifier that the client keeps (RFC 7636, section 4.2). */
  challenge: challengeInput,
  /** `link` and `step-up` need the access token of the user. */
  purpose: z.enum(FLOW_PURPOSES).default('sign-in'),
  /** An address of `EXTERNAL_REDIRECT_URIS`, with `/` and the connection. Defaults to the page of the service. */
  redirectUri: z.string().min(1).max(MAX_TEXT).optional(),
  /** Returned at the end, unchecked: check it before you follow it. */
  returnTo: z.string().min(1).max(MAX_TEXT).optional(),
  /** The address or name with which the user is known there. */
  loginHint: z.string().min(1).max(254).optional(),
});
/** Input of `auth.external.signIn.start`: the connection, the challenge of the client, and what the flow is for. */
export type StartExternal = z.input<typeof startExternalInput>;

/** Reply with the address to which the user goes. */
export const startedExternal = z
  .object({
    /** Carries a secret: send the browser there, and keep it nowhere. */
    authorizationUrl: z.string(),
    flowId: z.guid(),
    /** Seconds until the flow ends. */
    expiresIn: z.int().min(1),
  })
  .meta({ id: 'StartedExternalSignIn' });
/** A flow that was begun. */
export type StartedExternal = z.output<typeof startedExternal>;

/** Input that ends a flow. */
export const finishExternalInput = providerResponse;
/** Input of `auth.external.signIn.finish`: the response of the provider, and the verifier of the client. */
export type FinishExternal = z.input<typeof finishExternalInput>;

/** The proof of a step-up by another service. */
export const externalProofInput = providerResponse;

/** An identity as its user sees it. */
export const externalIdentityView = z
  .object({
    id: z.guid(),
    connectionId: z.string(),
    /** Null for a connection that is no longer configured: it signs no one in. */
    label: z.string().nullable(),
    email: z.string().nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ExternalIdentity' });
/** An identity of the signed-in user. */
export type ExternalIdentityView = z.output<typeof externalIdentityView>;

const linkRequired = z
  .object({
    link: z.object({
      /** For `POST /auth/external/link`, once the user has signed in. */
      token: z.string(),
      /** The ways to sign in that this service offers, whether or not the account has them. */
      methods: z.array(z.enum(['password', 'passkey'])),
      /** Seconds until the token expires. */
      expiresIn: z.int().min(1),
    }),
  })
  .meta({ id: 'ExternalLinkRequired' });

const returnTo = z.string().optional();

/** Reply of a flow: a sign-in, a step that is missing, the linked identity, or the raised session. */
export const finishedExternal = z.union([
  tokenPair.extend({ returnTo }).meta({ id: 'ExternalTokenPair' }),
  secondFactorRequired.extend({ returnTo }).meta({ id: 'ExternalSecondFactorRequired' }),
  linkRequired,
  z.object({ identity: externalIdentityView }).meta({ id: 'LinkedExternalIdentity' }),
  tokenPair.pick({ accessToken: true, expiresIn: true }).meta({ id: 'ExternalRaisedToken' }),
]);
/** The result of a flow. Check for `accessToken` before using tokens. */
export type FinishedExternal = z.output<typeof finishedExternal>;

/** Input that links an identity to the signed-in user. */
export const linkExternalInput = z.object({
  /** The token of the sign-in that had to be linked. */
  token: z.string().min(1).max(256),
  verifier: verifierInput,
});
/** Input of `auth.external.identities.link`: the token of the sign-in, and the verifier of its client. */
export type LinkExternal = z.input<typeof linkExternalInput>;

/** Input of a back-channel logout (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
export const backchannelLogoutInput = z.object({ logout_token: z.string().min(1).max(16_384) });

/** Returns an identity as its user sees it. */
export const toIdentityView = (
  { id, connectionId: connection, email, createdAt, lastUsedAt }: ExternalIdentity,
  label: string | null,
): ExternalIdentityView => ({
  id,
  connectionId: connection,
  label,
  email,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

import {
  backchannelLogoutInput,
  externalConnections,
  externalIdentityView,
  finishedExternal,
  finishExternalInput,
  linkExternalInput,
  startedExternal,
  startExternalInput,
} from '@latchkey/core/schemas';
import { CHALLENGE, EMAIL, example } from './example.js';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const FLOW_ID = '01a1f91a-3b70-7c12-8d4e-5f6071829304';
const identity = {
  id: '01a1f91b-1a2b-7c3d-8e4f-506172839405',
  connectionId: 'google',
  label: 'Google',
  email: EMAIL,
  createdAt: '2026-11-20T13:09:18.235Z',
  lastUsedAt: '2026-11-21T08:30:00.000Z',
};
const tokens = { accessToken: 'eyJhbGciOiJSUzI1NiIs…', expiresIn: 900 };
const returnTo = '/invoices';
const secondFactor = { challenge: CHALLENGE, methods: ['totp', 'recovery_code'], expiresIn: 300 };
const [signedIn, challenged, toLink, linked, raised] = finishedExternal.options;

/** Examples of requests and responses about sign-ins by other services. */
export const EXTERNAL_EXAMPLES = [
  example(externalConnections, [{ id: 'google', type: 'google', label: 'Google' }]),
  example(startExternalInput, {
    connectionId: 'google',
    challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    returnTo,
  }),
  example(startedExternal, {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…&state=lks_…',
    flowId: FLOW_ID,
    expiresIn: 600,
  }),
  example(finishExternalInput, { state: 'lks_7Hq2…', code: '4/0AeanS…', verifier: VERIFIER }),
  example(signedIn, { ...tokens, refreshToken: 'lkr_B9UUGyORVwAomCD_…', tokenType: 'Bearer', returnTo }),
  example(challenged, { secondFactor, returnTo }),
  example(toLink, { link: { token: 'lkl_c8Wd…', methods: ['password', 'passkey'], expiresIn: 900 } }),
  example(linked, { identity }),
  example(raised, tokens),
  example(externalIdentityView, identity),
  example(linkExternalInput, { token: 'lkl_c8Wd…', verifier: VERIFIER }),
  example(backchannelLogoutInput, { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ…' }),
];

export { createAuthHandler, type AuthHandler, type AuthHandlerOptions } from './fetch/create-auth-handler.js';
export { createGuards, type FetchGuardOptions, type Guards } from './fetch/create-guards.js';
export {
  fromFastify,
  fromForwarded,
  fromHono,
  fromNode,
  unknownAddress,
  type ClientAddress,
} from './fetch/client-address.js';
export { errorResponse } from './fetch/error-response.js';
export type { GuardedRequest } from './fetch/guarded-request.js';
export type { CallerRequirements } from './guards/caller-requirements.js';
export type { AccessRequirements } from './guards/access-requirements.js';
export type { AuthContext } from './guards/auth-context.js';
export type { GuardOptions } from './guards/guard-options.js';
export type { PlatformRole } from './guards/platform-roles.js';
export { findAuth, getAccess, getAuth } from './guards/request-auth.js';
export { openApiDocument, type OpenApiDocument } from './openapi/document.js';
export { allRoutes } from './routes/all-routes.js';
export type { Endpoint } from './routing/endpoint.js';
export { signInCookies } from './routing/sign-in-cookies.js';
export { statusOf } from './routing/error-status.js';
export type { Route } from './routing/route.js';

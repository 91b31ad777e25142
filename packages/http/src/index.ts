export type { AccessRequirements } from './guards/access-requirements.js';
export type { AuthContext } from './guards/auth-context.js';
export type { GuardOptions } from './guards/guard-options.js';
export type { PlatformRole } from './guards/platform-roles.js';
export { findAuth, getAccess, getAuth } from './guards/request-auth.js';
export { openApiDocument, type OpenApiDocument } from './openapi/document.js';
export { allRoutes } from './routes/all-routes.js';
export { statusOf } from './routing/error-status.js';
export type { Route } from './routing/route.js';

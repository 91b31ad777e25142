export { createAuthRouter, type AuthRouterOptions } from './create-auth-router.js';
export { createGuards, type Guards } from './create-guards.js';
export { findAuth, getAccess, getAuth } from '@latchkey/http';
export { authErrors } from './auth-errors.js';
export type {
  AccessRequirements,
  AuthContext,
  CallerRequirements,
  GuardOptions,
  PlatformRole,
} from '@latchkey/http';
export type { Guard } from './guard.js';
export { accessLog } from './access-log.js';
export type { AccessLogEntry } from '@latchkey/http/node';
export { answerHeaders, securityHeaders } from './response-headers.js';
export { messageClasses } from './message-classes.js';
export { homePage, notFoundPage } from './pages.js';
export type { HomeFacts } from '@latchkey/pages/internal';
export { metricsHandler } from './metrics-handler.js';
export { sendError } from './send-error.js';
export {
  allRoutes,
  openApiDocument,
  signInCookies,
  statusOf,
  type OpenApiDocument,
  type Route,
} from '@latchkey/http';
export { assignRequestId } from './express-request.js';

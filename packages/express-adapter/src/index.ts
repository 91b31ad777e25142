export { createAuthRouter } from './create-auth-router.js';
export { sendError } from './http/error-response.js';
export { assignRequestId } from './http/request-id.js';
export { securityHeaders } from './http/security-headers.js';
export { openApiDocument, type OpenApiDocument } from './openapi/document.js';
export { allRoutes } from './routes/all-routes.js';
export type { Method, Route } from './http/route.js';

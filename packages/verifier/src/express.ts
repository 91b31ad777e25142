export { optionalAuth, requireAuth, requireFactors, requireFresh, requireRole } from './guards/guards.js';
export { messageClasses } from './guards/message-classes.js';
export type { StaffRole } from './guards/platform-roles.js';
export { findCaller, getCaller } from './guards/request-caller.js';
export type { VerifierGuard } from './guards/verifier-guard.js';

export { createAuthListener, type AuthListenerOptions } from './node/create-auth-listener.js';
export type { AccessLogEntry } from './node/access-log.js';

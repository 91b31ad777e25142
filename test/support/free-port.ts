export { findFreePort as freePort } from '../../packages/core/src/embedded-postgres/free-port.js';

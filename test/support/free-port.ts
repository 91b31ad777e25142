export { findFreePort as freePort } from '../../packages/server/src/embedded/free-port.js';

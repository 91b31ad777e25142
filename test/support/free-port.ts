export { findFreePort as freePort } from '../../packages/testing/src/embedded-postgres/free-port.js';

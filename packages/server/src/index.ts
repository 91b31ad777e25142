export { startService, type Service } from './start.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.js';
export { readEmbeddedPostgres } from './embedded/runtime-file.js';
export { createLogger } from './logger.js';

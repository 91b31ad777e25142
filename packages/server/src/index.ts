export { runService, type RunOptions } from './run-service.js';
export { startService, type Service } from './start.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.js';
export { makeThrowAwayFolder } from './embedded/throw-away-folder.js';
export { createLogger, type LogFormat } from './logger.js';

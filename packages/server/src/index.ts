export { runService } from './run-service.js';
export { startService, type Service } from './start.js';
export { createLogger } from './logger.js';

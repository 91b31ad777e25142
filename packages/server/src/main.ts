import { runService } from './run-service.js';

process.exit(await runService());

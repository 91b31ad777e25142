// Entry point for programs that need the lists of names alone, such as the help of commands. It loads no library.
export { RETENTION_KINDS } from './maintenance/retention.js';
export { IMPORT_FORMATS } from './user-import/formats/source-entry.js';
export { IMPORT_CONFLICTS } from './user-import/import-conflict.js';

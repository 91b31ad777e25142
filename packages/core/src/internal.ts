// What the packages of Latchkey share. It may change with any version.
export { CREATE_AUTH_OPTIONS } from './compose/check-wiring.js';
export { assertExtensions } from './compose/extensions.js';
export { openAuth } from './compose/open-auth.js';
export { openDatabase } from './compose/open-database.js';
export { systemClock, type Clock } from './kernel/clock.js';
export { newId } from './kernel/id.js';
export { nearNames } from './kernel/near-names.js';
export { anything, someText, someTexts } from './settings/option-rules.js';
export { settingDefinitions } from './settings/setting-definitions.js';
export { Database } from './storage/database.js';
export { readMigrationFiles } from './storage/migration-file.js';
export { Migrator } from './storage/migrator.js';
export { resolveMigrationsDirectory } from './storage/resolve-migrations-path.js';
export { AccessTokens } from './tokens/access-token.js';
export { checkedExtraClaims } from './tokens/extra-claims.js';

// What commands for operators begin with. Apart from the rest, so that they load no more than they use.
export { createAdministration } from './compose/create-administration.js';
export { openMigrations } from './compose/open-migrations.js';
export { readSettings } from './settings/read-settings.js';

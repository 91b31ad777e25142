// Settings, for programs that look at them and at nothing else: no database, no users, no tokens.
export { inspectSettings } from './settings/inspect-settings.js';
export { settingGroups } from './settings/setting-definition.js';

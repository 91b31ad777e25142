// Entry point for programs that read settings only: no database, no users, no tokens.
export { isOperatorName, OPERATOR_NAME_RULE } from './kernel/operator-name.js';
export { durationText, parseDuration } from './kernel/duration.js';
export type { SettingLayers } from './settings/environment.js';
export {
  inspectSettings,
  type InspectedSetting,
  type SettingsInspection,
} from './settings/inspect-settings.js';
export { hasRepeatedField } from './settings/kinds/json-text.js';
export { assertOptions, aFunction, trueOrFalse, type OptionRule } from './settings/option-rules.js';
export { readGivenSettings, readSomeSettings } from './settings/read-some-settings.js';
export { readTokenSettings, type TokenTools } from './settings/read-token-settings.js';
export { settingGroups } from './settings/setting-definition.js';

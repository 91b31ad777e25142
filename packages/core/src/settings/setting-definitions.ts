import { apiKeyDefinitions } from './definitions/api-keys.js';
import { commandLineDefinitions } from './definitions/command-line.js';
import { externalDefinitions } from './definitions/external.js';
import { httpDefinitions } from './definitions/http.js';
import { machineDefinitions } from './definitions/machines.js';
import { outboundDefinitions } from './definitions/outbound.js';
import { pageDefinitions } from './definitions/pages.js';
import { secondFactorDefinitions } from './definitions/second-factor.js';
import { serviceDefinitions } from './definitions/service.js';
import { signInDefinitions } from './definitions/sign-in.js';
import { storageDefinitions } from './definitions/storage.js';
import { tokenDefinitions } from './definitions/tokens.js';
import { webhookDefinitions } from './definitions/webhooks.js';
import type { SettingDefinition } from './setting-definition.js';

const definitions = [
  ...serviceDefinitions,
  ...httpDefinitions,
  ...pageDefinitions,
  ...storageDefinitions,
  ...tokenDefinitions,
  ...machineDefinitions,
  ...outboundDefinitions,
  ...webhookDefinitions,
  ...signInDefinitions,
  ...externalDefinitions,
  ...secondFactorDefinitions,
  ...apiKeyDefinitions,
  ...commandLineDefinitions,
] as const;

export type SettingName = (typeof definitions)[number]['name'];

/** The value of every setting by name; `undefined` for an optional setting that is not given. */
export type SettingValues = {
  [Each in (typeof definitions)[number] as Each['name']]: Each extends SettingDefinition<string, infer Value>
    ? Value
    : never;
};

/** All settings, in the order of the documentation. */
export const settingDefinitions: readonly SettingDefinition<SettingName>[] = definitions;

/** Returns the definition of a setting. Throws a `TypeError` for an unknown name. */
export function definitionOf(name: SettingName): SettingDefinition<SettingName> {
  const definition = settingDefinitions.find((each) => each.name === name);
  if (!definition) throw new TypeError(`there is no setting ${name}`);
  return definition;
}

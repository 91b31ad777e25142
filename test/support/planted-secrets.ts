import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  definitionOf,
  settingDefinitions,
  type SettingName,
} from '../../packages/core/src/settings/setting-definitions.js';

/** A value for a secret setting, and what must not be seen of it. */
export interface PlantedSecret {
  name: SettingName;
  text: string;
  marker: string;
}

/** Texts that hold a marker, in every form that a secret setting takes. */
const FORMS: readonly ((name: string) => { text: string; marker: string })[] = [
  (name) => urlWith(name, 'postgres://app:?@127.0.0.1:1/none'),
  (name) => urlWith(name, 'redis://:?@127.0.0.1:1'),
  (name) => urlWith(name, 'smtp://app:?@127.0.0.1:1'),
  () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    // A line from its middle: the first ones are alike in all keys.
    return { text, marker: text.split('\n')[12] ?? '' };
  },
  (name) => {
    const marker = createHash('sha256').update(name).digest('hex');
    const client = { id: 'billing', secretHashes: [`sha256:${marker}`], audiences: ['latchkey'], scopes: [] };
    return { text: JSON.stringify([client]), marker };
  },
  (name) => {
    const marker = markerOf(name);
    return {
      text: JSON.stringify([{ id: 'plain', type: 'github', clientId: 'planted', clientSecret: marker }]),
      marker,
    };
  },
  (name) => {
    const key = createHash('sha256').update(name).digest('base64');
    return { text: key, marker: key };
  },
  (name) => ({ text: markerOf(name), marker: markerOf(name) }),
];

/** Every setting that is secret by its definition, with a value that shows if it is shown. */
export const plantedSecrets = (): PlantedSecret[] =>
  settingDefinitions.filter(({ secret }) => secret).map(({ name }) => plant(name));

function plant(name: SettingName): PlantedSecret {
  for (const form of FORMS) {
    const planted = form(name);
    if (definitionOf(name).parse(planted.text).ok) return { name, ...planted };
  }
  throw new Error(`${name} is secret, and none of the forms here is accepted by it: add one`);
}

const markerOf = (name: string): string =>
  `marker-of-${name.toLowerCase()}-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;

const urlWith = (name: string, url: string) => ({
  text: url.replace('?', markerOf(name)),
  marker: markerOf(name),
});

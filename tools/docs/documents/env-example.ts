import {
  type SettingDefinition,
  settingGroups,
} from '../../../packages/core/src/settings/setting-definition.js';
import { settingDefinitions } from '../../../packages/core/src/settings/setting-definitions.js';
import type { GeneratedDocument } from './generated-document.js';

const COLUMNS = 110;

const introduction = [
  'Written by `npm run docs`. Copy this file to `.env` and take the # away from the settings you need.',
  'Nothing is required outside production. Any setting X can also be given as X_FILE, the path of a file holding it.',
  'docs/configuration.md explains every setting.',
];

export const envExampleDocument: GeneratedDocument = {
  path: '.env.example',
  render: () => `${[introduction.map(commentOf).join('\n'), ...settingGroups.map(sectionOf)].join('\n\n')}\n`,
};

function sectionOf(group: string): string {
  const settings = settingDefinitions.filter((definition) => definition.group === group).map(entryOf);
  return [`# ---- ${group} ${'-'.repeat(COLUMNS - group.length - 8)}`, ...settings].join('\n\n');
}

/** A setting as a line that only lacks its #; what must be made up by its owner stays empty. */
function entryOf(definition: SettingDefinition): string {
  const fallback = definition.hasDefaultValue ? [] : [`Default: ${definition.default}.`];
  const words = [definition.description, `Value: ${definition.expected}.`, ...fallback];
  return [...words.map(commentOf), `#${definition.name}=${quoted(definition.example ?? '')}`].join('\n');
}

function quoted(value: string): string {
  return /[\s#$]/.test(value) ? `'${value}'` : value;
}

/** Comment lines of at most `COLUMNS` characters. */
function commentOf(text: string): string {
  const lines = [''];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 3 > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`.trim();
  }
  return lines.map((line) => `# ${line}`).join('\n');
}

import {
  type SettingDefinition,
  settingGroups,
} from '../../../packages/core/src/settings/setting-definition.js';
import { settingDefinitions } from '../../../packages/core/src/settings/setting-definitions.js';
import type { GeneratedDocument } from './generated-document.js';

const introduction = `# Configuration

<!-- Written by \`npm run docs\` from the definitions in packages/core/src/settings. Do not edit. -->

Environment variables configure Latchkey. A \`.env\` file in the working directory is read as well; the environment overrides
it. \`.env.example\` lists every setting, ready to be copied.

- **Outside production** no setting is required. By default the service uses an embedded database, an in-process store instead
  of Redis, and a signing key that it generates once.
- **Production** (\`APP_ENV=production\`) requires \`DATABASE_URL\`, \`REDIS_URL\`, \`JWT_SIGNING_KEY_PEM\` and
  \`AUTH_BASE_URL\`, and embeds nothing.
- **Secrets in files.** Any setting \`X\` can be given as \`X_FILE\`, the path of a file that contains the value, as Docker and
  Kubernetes provide secrets. One trailing line break is removed. Setting both \`X\` and \`X_FILE\` is a fault.
- **Durations** are plain seconds (\`900\`) or a number with a unit: \`90s\`, \`15m\`, \`12h\`, \`30d\`.
- **Switches** accept \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\` or \`off\`, in any case.
- **Empty values** count as unset. Unknown names are ignored; \`latchkey config check\` reports those that look like settings.
- \`latchkey config show\` prints the effective value and the origin of each setting.

All settings are checked before anything starts. If any is missing or wrong, the process exits with code 1 and one message. For
every such setting it states what was found, what is expected and how to fix it. It never contains values of secret settings.
`;

export const configurationDocument: GeneratedDocument = {
  path: 'docs/configuration.md',
  render: () => [introduction, ...settingGroups.map(sectionOf)].join('\n'),
};

function sectionOf(group: string): string {
  const rows = settingDefinitions.filter((definition) => definition.group === group).map(rowOf);
  return [`## ${group}`, '', '| setting | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function rowOf(definition: SettingDefinition): string {
  const { name, description, expected, secret } = definition;
  const value = definition.hasDefaultValue ? `\`${definition.default}\`` : definition.default;
  const meaning = `${description} Value: ${inCode(expected)}.${secret ? ' Secret.' : ''}`;
  return `| \`${name}\` | ${value} | ${meaning.replaceAll('|', '\\|')} |`;
}

/** Sets addresses and other samples as code, which Markdown would otherwise turn into links or markup. */
function inCode(words: string): string {
  return words
    .split(' ')
    .map((word) => word.replace(/^(\(?)(.*(?::\/\/|:…|[<*\\[{$]).*?)([),;]*)$/, '$1`$2`$3'))
    .join(' ');
}

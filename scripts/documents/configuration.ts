import type { SettingDefinition } from '../../packages/core/src/settings/setting-definition.js';
import { settingGroups } from '../../packages/core/src/settings/setting-definition.js';
import { settingDefinitions } from '../../packages/core/src/settings/setting-definitions.js';
import type { GeneratedDocument } from './generated-document.js';

const introduction = `# Configuration

<!-- Written by \`npm run docs\` from the definitions in packages/core/src/settings. Do not edit. -->

Latchkey is configured by environment variables. A \`.env\` file in the working directory is read as well; what the
environment says about a setting replaces what the file says. \`.env.example\` lists every setting, ready to be copied.

- **Nothing is required outside production.** Without settings the service starts with an embedded database, a store
  inside the process instead of Redis, and a signing key it generates once.
- **Production** (\`APP_ENV=production\`) requires \`DATABASE_URL\`, \`REDIS_URL\`, \`JWT_SIGNING_KEY_PEM\` and
  \`AUTH_BASE_URL\`, and embeds nothing.
- **Secrets in files.** Any setting \`X\` can be given as \`X_FILE\`, the path of a file that holds the value, as Docker and
  Kubernetes provide secrets. One line break at the end of the file is dropped. Giving both \`X\` and \`X_FILE\` is a fault.
- **Durations** are plain seconds (\`900\`) or a number with a unit: \`90s\`, \`15m\`, \`12h\`, \`30d\`.
- **Switches** take \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\` or \`off\`, in any case.
- An empty value counts as unset. Names that are not listed here are ignored; \`latchkey config check\` tells those that
  look as if they were meant.
- \`latchkey config show\` prints what holds for each setting, and where that comes from.

All settings are checked before anything starts. If any is missing or wrong, the process ends with exit code 1 and one
message that names every such setting, what was found, what is expected and how to mend it. Values of secret settings
never appear in it.
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

import { slug } from 'github-slugger';
import { BASE, readText } from './repository.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the pages of the HTTP reference from docs/openapi.json: one for each group of routes, and an index. */
export function httpPages() {
  const document = JSON.parse(readText('docs/openapi.json'));
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    file: `${slug(name)}.md`,
    operations: operationsOf(document, name),
  }));
  return {
    pages: [
      ...groups.map((group) => ({ file: group.file, text: groupPage(group) })),
      { file: 'index.md', text: indexPage(document, groups) },
    ],
    sidebar: groups.map(({ name, file }) => ({ text: name, link: `/http/${file.replace('.md', '.html')}` })),
  };
}

/** Returns the operations of a group in the order of the document. */
function operationsOf({ paths }, group) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]?.tags?.includes(group)).map((method) => ({
      ...methods[method],
      route: `${method.toUpperCase()} ${path}`,
      viewer: `${BASE}api/index.html#/${encodeURIComponent(group)}/${methods[method].operationId}`,
    })),
  );
}

const groupPage = ({ name, description, operations }) => `# ${name}

${description}

${operations.map(section).join('\n')}`;

const section = ({
  operationId,
  summary,
  route,
  viewer,
  description = '',
  parameters = [],
  ...operation
}) => `## ${summary} {#${operationId}}

\`${route}\`

${description}

${parameterTable(parameters)}
${exampleOf(operation)}
<a href="${viewer}" target="_self">Fields, responses and errors</a>
`;

/** Returns a table, or nothing if there are no parameters. */
function parameterTable(parameters) {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: kind, required, description = '' }) =>
      `| \`${name}\` | ${kind}${required ? ', required' : ''} | ${description.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`,
  );
  return ['| parameter | in | description |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** Returns the example of the body, or nothing if the operation takes none. */
function exampleOf({ requestBody }) {
  const example = requestBody?.content?.['application/json']?.example;
  return example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`;
}

const indexPage = ({ info }, groups) => `# API reference

${info.description}

The [HTTP guide](../../../docs/http-api.md) describes conventions, callers and errors. The
<a href="${BASE}api/index.html" target="_self">viewer</a> shows every field of each body and response, with samples. The document
itself is [openapi.json](../../../docs/openapi.json).

${groups.map(groupIndex).join('\n')}`;

const groupIndex = ({ name, description, file, operations }) => `## ${name}

${description}

| route | summary |
| --- | --- |
${operations.map(({ route, summary, operationId }) => `| \`${route}\` | [${summary}](${file}#${operationId}) |`).join('\n')}
`;

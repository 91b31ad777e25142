/** Placeholders of values that a reader has to fill in. */
const SECRETS = { token: '$ACCESS_TOKEN', key: '$AUTH_INTERNAL_API_KEY' };

const isForMachines = ({ security }) =>
  security.length > 0 && security.every((scheme) => 'internalKey' in scheme || 'serviceToken' in scheme);
const needsToken = ({ security }) => security.some((scheme) => 'accessToken' in scheme);

const required = (operation, where) =>
  operation.parameters.filter((parameter) => parameter.in === where && parameter.required);

/** Returns the path with the required query; values are the names of parameters in braces. */
function pathOf({ path, ...operation }) {
  const query = required(operation, 'query').map(({ name }) => `${name}={${name}}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

const headersOf = (operation) => [
  ...(operation.body === undefined ? [] : [['Content-Type', 'application/json']]),
  ...required(operation, 'header').map(({ name }) => [name, `{${name}}`]),
];

/** Quotes for a POSIX shell. */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a command of curl that sends the example. @param address public address of the service. */
export function curlOf(operation, address) {
  const method = operation.method.toUpperCase();
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const secret = isForMachines(operation)
    ? [`"X-Internal-API-Key: ${SECRETS.key}"`]
    : needsToken(operation)
      ? [`"Authorization: Bearer ${SECRETS.token}"`]
      : [];
  return [
    `curl ${verb}${quoted(address + pathOf(operation))}`,
    ...secret.map((header) => `-H ${header}`),
    ...headersOf(operation).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(operation.body === undefined ? [] : [`-d ${quoted(JSON.stringify(operation.body))}`]),
  ].join(' \\\n  ');
}

/** Returns an object literal, one line for each level. */
const literal = (value, indent) =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"([A-Za-z_$][\w$]*)":/g, '$1:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")
    .replaceAll('\n', `\n${indent}`);

/** Returns the same in TypeScript: with the client for the routes of users, else with `fetch`. */
export function typescriptOf(operation, address) {
  return isForMachines(operation) ? fetchOf(operation, address) : clientCallOf(operation, address);
}

function clientCallOf(operation, address) {
  const input = {
    path: namesOf(operation, 'path'),
    query: namesOf(operation, 'query'),
    header: namesOf(operation, 'header'),
    body: operation.body,
  };
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const rest = given.length === 0 ? '' : `, ${literal(Object.fromEntries(given), '')}`;
  return [
    "import { createClient } from '@latchkey/client';",
    '',
    `const client = createClient({ baseUrl: '${address}', tokens: 'memory' });`,
    `const { data, error } = await client.request('${operation.method.toUpperCase()}', '${operation.path}'${rest});`,
  ].join('\n');
}

function namesOf(operation, where) {
  const names = required(operation, where).map(({ name }) => [name, `{${name}}`]);
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

function fetchOf(operation, address) {
  const method = operation.method.toUpperCase();
  const headers = [
    "    'X-Internal-API-Key': process.env.AUTH_INTERNAL_API_KEY ?? '',",
    ...headersOf(operation).map(([name, value]) => `    '${name}': '${value}',`),
  ];
  return [
    `const response = await fetch('${address}${pathOf(operation)}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers,
    '  },',
    ...(operation.body === undefined ? [] : [`  body: JSON.stringify(${literal(operation.body, '  ')}),`]),
    '});',
    'const { data } = await response.json();',
  ].join('\n');
}

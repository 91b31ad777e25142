/** Runs a TypeScript program of the repository from its sources. */
const ts = (program) => `node --conditions=latchkey-source --import tsx ${program}`;

/**
 * What the other steps need, one after the other. `npm start` bundles every package, as for a newcomer; only the
 * declarations are missing then.
 */
export const BUILDING = [
  { name: 'npm start', command: 'node tools/check/npm-start.mjs' },
  { name: 'declarations', command: 'npm run --silent client-types && npx tsc -b tsconfig.build.json' },
];

/**
 * The steps that run beside the tests, at a lower priority: the service hashes passwords at a low one, and would not get to
 * it. None of them builds the packages again: the tests read them. Those that run tests themselves come last: by then the
 * suite has made the pages, which both read.
 */
export const CHECKS = [
  { name: 'lock files', command: 'node tools/check/lock.mjs' },
  { name: 'links', command: 'node tools/check/links.mjs' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'unused code', command: 'npm run --silent knip' },
  { name: 'types', command: 'npm run --silent typecheck' },
  { name: 'generated documents', command: 'npm run --silent docs:check' },
  { name: 'OpenAPI document', command: 'npm run --silent openapi:lint' },
  { name: 'code on pages', command: 'npm run --silent docs:code' },
  { name: 'deploy files', command: 'npm run --silent deploy:check' },
  { name: 'query plans', command: 'npm run --silent bench:plans -- --small' },
  { name: 'packages', command: 'node tools/packages/try.mjs' },
  { name: 'hosts', command: 'node tools/hosts/try.mjs --short' },
  { name: 'site', command: 'npm run --silent site:check' },
  { name: 'deployment', command: 'npm run --silent deploy:try' },
  { name: 'former release', command: `${ts('tools/former-release/try.ts')} --short` },
  { name: 'soak', command: `${ts('bench/soak.ts')} --minutes 0.5` },
  { name: 'planted defects', command: 'npm run --silent mutations -- --short --no-baseline' },
  { name: 'other Nodes', command: 'npm run --silent test:nodes -- --short' },
  { name: 'other bindings', command: 'npm run --silent test:bindings -- --short' },
];

/** The suite, by the README's command, with a report for the summary. */
export const testsInto = (report) => ({
  name: 'tests',
  command: `npm test -- --reporter=default --reporter=json --outputFile.json=${report}`,
});

import dockerIgnore from '@balena/dockerignore';

/** Files that are often in checkouts and must not reach the builder, whose layers keep everything. */
const PRIVATE = [
  '.env',
  '.git/config',
  '.latchkey/signing-key.pem',
  'deploy/secrets/database-url',
  'keys/signing-key.pem',
  'node_modules/pg/package.json',
  'packages/core/.env',
  'packages/core/.env.production',
  'packages/core/signing-key.pem',
  'packages/core/dist/index.js',
  'packages/cli/node_modules/commander/package.json',
  'packages/server/.latchkey/signing-key.pem',
  'signing-key.pem',
];

/** Files that a build needs. */
const NEEDED = [
  'package-lock.json',
  'packages/core/src/index.ts',
  'migrations/0001_users.sql',
  'tsup.config.ts',
];

/** Returns what is wrong with a `.dockerignore`. */
export function faultsOfDockerIgnore(text: string): string[] {
  const patterns = dockerIgnore.default().add(text);
  const isIgnored = (file: string) => patterns.ignores(file);
  return [
    ...PRIVATE.filter((file) => !isIgnored(file)).map((file) => `${file} would reach the builder`),
    ...NEEDED.filter(isIgnored).map((file) => `${file} would not reach the builder`),
  ];
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { constructorsKeepTheirObject } from './support/architecture/class-rules.js';
import {
  clientRunsInBrowsers,
  commandGroupsAreSeparate,
  coreFoldersHaveALayer,
  coreImportsGoDown,
  dependenciesAreDeclared,
  expressStaysAtTheEdge,
  internalsStayInside,
  nothingImportsInACircle,
  packagesImportDownwards,
  packagesMeetByName,
  toolsImportEarlierRows,
  type Rule,
} from './support/architecture/import-rules.js';
import {
  commandLineLoadsOnDemand,
  coreStartsLight,
  namesLoadNoLibrary,
} from './support/architecture/loading-rules.js';
import {
  parseSource,
  readManifest,
  readPackageSources,
  readToolSources,
} from './support/architecture/source-file.js';
import {
  auditRowsNotifyListeners,
  effectsFollowTheirWrite,
  barrelsArePublishedEntries,
  environmentIsReadInOnePlace,
  errorsAreKnownByTheirBrand,
  focusMovesBeforeThePainting,
  nothingWritesToTheConsole,
  sqlAsksNow,
  sqlStaysInRepositories,
  tablesHaveOneWriter,
  usersAreNeverDeleted,
  webAuthnIsLoadedOnDemand,
} from './support/architecture/text-rules.js';

const PACKAGES = [
  'core',
  'http',
  'pages',
  'express-adapter',
  'testing',
  'operations',
  'server',
  'cli',
  'verifier',
  'client',
];
const manifests = PACKAGES.map(readManifest);
const sources = readPackageSources();

const meetByName = packagesMeetByName(manifests);
const declared = dependenciesAreDeclared(readManifest);
const noBarrels = barrelsArePublishedEntries(manifests);

const RULES: [string, Rule][] = [
  ['packages import downwards: cli → server → pages → http → core', packagesImportDownwards],
  ['packages meet by name, at published entries', meetByName],
  ['modules of the core are imported by operations and testing only', internalsStayInside],
  ['a package names what it imports as its dependency', declared],
  ['inside core an import stays in its folder or goes to a lower layer', coreImportsGoDown],
  ['every folder of core has a layer', coreFoldersHaveALayer],
  ['a group of commands imports no other group', commandGroupsAreSeparate],
  ['no file imports itself through others', nothingImportsInACircle],
  ['express stays in express-adapter', expressStaysAtTheEdge],
  ['the client imports nothing of Node', clientRunsInBrowsers],
  ['process.env is read in one file', environmentIsReadInOnePlace],
  ['SQL is in repositories and storage only', sqlStaysInRepositories],
  ['rows of the audit log are added where listeners are notified', auditRowsNotifyListeners],
  ['what follows a commit is registered by the write that causes it', effectsFollowTheirWrite],
  ['sessions and users are each written by one repository', tablesHaveOneWriter],
  ['rows of users are never deleted', usersAreNeverDeleted],
  ['SQL asks the time by now()', sqlAsksNow],
  ['nothing writes to the console', nothingWritesToTheConsole],
  ['an AuthError is recognized by its brand', errorsAreKnownByTheirBrand],
  ['the WebAuthn library is loaded on demand', webAuthnIsLoadedOnDemand],
  ['the core loads no library that only some programs need', coreStartsLight],
  ['the lists of names load no library', namesLoadNoLibrary],
  ['the command line loads core and server when a command runs', commandLineLoadsOnDemand],
  ['pages move the focus before they are painted', focusMovesBeforeThePainting],
  ['no barrels but the published entries', noBarrels],
  ['a class keeps the object its constructor takes', constructorsKeepTheirObject],
];

it('the sources of every package are read, without their tests', () => {
  const counts = PACKAGES.map((name) => sources.filter((file) => file.package === name).length);
  expect(counts[0]).toBeGreaterThan(80);
  expect(sources.some((file) => file.path.includes('.test.'))).toBe(false);
  expect(sources.map((file) => file.path)).toContain('packages/core/src/passwords/password-worker.js');
});

it.each(RULES)('%s', (_rule, rule) => {
  expect(rule(sources)).toEqual([]);
});

describe('the tools', () => {
  const readme = readFileSync(new URL('../tools/README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `([\w-]+)\/`/gm)].map(([, name = '']) => name);
  const toolSources = readToolSources();

  it('each folder of tools has a row in its README', () => {
    const folders = readdirSync(new URL('../tools', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => name);
    expect(rows.toSorted()).toEqual(folders.toSorted());
  });

  it('a tool imports tools of earlier rows only, and no file imports itself through others', () => {
    expect(toolSources.length).toBeGreaterThan(100);
    expect(toolsImportEarlierRows(rows)(toolSources)).toEqual([]);
    expect(nothingImportsInACircle(toolSources)).toEqual([]);
  });

  it('a tool that imports one of a later row is reported', () => {
    const planted = parseSource('tools/shared/planted.ts', `import { take } from '../tour/take.mjs';`);
    expect(toolsImportEarlierRows(rows)([planted])).toEqual([expect.stringContaining('imports tools/tour')]);
  });
});

describe('planted breaches', () => {
  const ADMIN = 'packages/core/src/admin/planted.ts';
  const KERNEL = 'packages/core/src/kernel/planted.ts';
  const ROUTE = 'packages/http/src/routes/planted.ts';
  const SCRIPT = 'packages/pages/src/browser/planted.ts';

  it.each([
    [KERNEL, `import type { Route } from '@latchkey/express-adapter';`, packagesImportDownwards],
    [ROUTE, `import { startService } from '@latchkey/server';`, packagesImportDownwards],
    ['packages/cli/src/planted.ts', `export * from '@latchkey/express-adapter';`, packagesImportDownwards],
    [
      KERNEL,
      `import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';`,
      packagesImportDownwards,
    ],
    [
      'packages/server/src/planted.ts',
      `const load = () => import('@latchkey/testing');`,
      packagesImportDownwards,
    ],
    [KERNEL, `import { createAdministration } from '@latchkey/operations';`, packagesImportDownwards],
    [ROUTE, `import type { Administration } from '@latchkey/operations';`, packagesImportDownwards],
    [
      'packages/pages/src/planted.ts',
      `import { IMPORT_FORMATS } from '@latchkey/operations/names';`,
      packagesImportDownwards,
    ],
    ...['express-adapter', 'verifier', 'client', 'testing'].map((name): [string, string, Rule] => [
      `packages/${name}/src/planted.ts`,
      `import { diagnose } from '@latchkey/operations';`,
      packagesImportDownwards,
    ]),
    [
      'packages/operations/src/doctor/planted.ts',
      `import { createApp } from '@latchkey/server';`,
      packagesImportDownwards,
    ],
    [
      'packages/operations/src/doctor/planted.ts',
      `import { newId } from '@latchkey/core/internal/kernel/no-such-module';`,
      meetByName,
    ],
    [ROUTE, `import { newId } from '@latchkey/core/internal/kernel/id';`, internalsStayInside],
    ['packages/cli/src/planted.ts', `import('@latchkey/core/internal/kernel/id');`, internalsStayInside],
    ['packages/server/src/planted.ts', `import('@latchkey/core/internal/kernel/id');`, internalsStayInside],
    ['packages/operations/src/names.ts', `export { z } from 'zod';`, namesLoadNoLibrary],
    [
      'packages/testing/src/kit/planted.ts',
      `import { authEndpoints } from '@latchkey/http/internal';`,
      packagesImportDownwards,
    ],
    [
      'packages/client/src/planted.ts',
      `import type { User } from '@latchkey/core';`,
      packagesImportDownwards,
    ],
    ['packages/client/src/planted.ts', `import { hash } from 'node:crypto';`, clientRunsInBrowsers],
    [ROUTE, `import type { Client } from '@latchkey/client';`, packagesImportDownwards],
    [ROUTE, `import { createClient } from '@latchkey/client';`, declared],
    [SCRIPT, `import type { Auth } from '@latchkey/core';`, packagesImportDownwards],
    [ROUTE, `import { newId } from '../../../core/src/kernel/id.js';`, meetByName],
    [ROUTE, `import { newId } from '@latchkey/core/src/kernel/id.js';`, meetByName],
    [KERNEL, `import helmet from 'helmet';`, declared],
    [KERNEL, `const load = () => import('pino/file');`, declared],
    [KERNEL, `import type { User } from '../users/user.js';`, coreImportsGoDown],
    [ADMIN, `import { LoginService } from '../login/login-service.js';`, coreImportsGoDown],
    [KERNEL, `type User = import('../users/user.js').User;`, coreImportsGoDown],
    [KERNEL, `export { createAuth } from '../index.js';`, coreImportsGoDown],
    ['packages/core/src/attic/planted.ts', '', coreFoldersHaveALayer],
    [
      'packages/cli/src/commands/users/planted.ts',
      `import { addMail } from '../mail/mail.js';`,
      commandGroupsAreSeparate,
    ],
    [KERNEL, `import type { Request } from 'express';`, expressStaysAtTheEdge],
    [KERNEL, `const home = process.env.HOME;`, environmentIsReadInOnePlace],
    [KERNEL, `const home = process['env'].HOME;`, environmentIsReadInOnePlace],
    [KERNEL, `const { env } = process;`, environmentIsReadInOnePlace],
    [KERNEL, `import { env } from 'node:process';`, environmentIsReadInOnePlace],
    [ADMIN, 'this.#deps.outbox.wake();', effectsFollowTheirWrite],
    [ADMIN, 'await this.#deps.markers.mark(revoked);', effectsFollowTheirWrite],
    [ADMIN, `const find = 'SELECT id FROM users';`, sqlStaysInRepositories],
    [ADMIN, `const find = 'UPDATE users u SET x = 1';`, sqlStaysInRepositories],
    [ADMIN, 'const drop = `\n  DELETE FROM ${table}`;', sqlStaysInRepositories],
    [ADMIN, `const rows = await trx('users').where({ id });`, sqlStaysInRepositories],
    [ADMIN, `query.whereRaw('expires_at > now()');`, sqlStaysInRepositories],
    [ADMIN, `const now = knex.raw('now()');`, sqlStaysInRepositories],
    [ADMIN, 'const add = `WITH a AS (${b}) INSERT INTO auth_audit_logs (id)`;', auditRowsNotifyListeners],
    [ADMIN, `await trx('auth_audit_logs').insert(row);`, auditRowsNotifyListeners],
    [ADMIN, `row.update({ updated_at: trx.fn.now() });`, sqlAsksNow],
    [ADMIN, 'const due = `due_at <= Current_Timestamp`;', sqlAsksNow],
    [ROUTE, `console.error('oh');`, nothingWritesToTheConsole],
    [ROUTE, `const isOurs = thrown instanceof AuthError;`, errorsAreKnownByTheirBrand],
    [ROUTE, `const isOurs = thrown instanceof core.AuthError;`, errorsAreKnownByTheirBrand],
    [ADMIN, `import { verifyRegistrationResponse } from '@simplewebauthn/server';`, webAuthnIsLoadedOnDemand],
    [SCRIPT, 'useEffect(() => heading.current?.focus(), [title]);', focusMovesBeforeThePainting],
    [SCRIPT, 'useEffect(() => void (isTaken && focusEmail()), [attempts]);', focusMovesBeforeThePainting],
    ['packages/core/src/index.ts', `export { createTransport } from 'nodemailer';`, coreStartsLight],
    ['packages/core/src/names.ts', `export { z } from 'zod';`, namesLoadNoLibrary],
    [
      'packages/cli/src/planted.ts',
      `import { isUuid } from '@latchkey/core/schemas';`,
      commandLineLoadsOnDemand,
    ],
    ['packages/core/src/users/index.ts', `export const one = 1;`, noBarrels],
    [ADMIN, `export { newId } from '../kernel/id.js';`, noBarrels],
    [
      ADMIN,
      'class A { constructor(parts: P) { this.#users = parts.users; this.#audit = parts.audit; } }',
      constructorsKeepTheirObject,
    ],
    [ADMIN, "const END = statement('end', 'UPDATE sessions SET is_revoked = true');", tablesHaveOneWriter],
    [
      ADMIN,
      'const set = (id) => `WITH one AS (${id}) UPDATE users u SET is_active = true`;',
      tablesHaveOneWriter,
    ],
    [ADMIN, "const end = (trx) => trx('sessions').where({ id }).update({});", tablesHaveOneWriter],
    [ADMIN, "const add = bulkInsert('users', {});", tablesHaveOneWriter],
    [ADMIN, "const END = statement('end', 'DELETE FROM users WHERE id = $1');", usersAreNeverDeleted],
    [ADMIN, 'const end = (id) => `delete from only users where id = ${id}`;', usersAreNeverDeleted],
    [ADMIN, "const end = (trx) => trx('users').where({ id }).delete();", usersAreNeverDeleted],
    [ADMIN, "const end = (trx) => trx('users as u').where({ id }).del();", usersAreNeverDeleted],
    [
      ADMIN,
      'class A { constructor({ users, audit }: P) { this.#users = users; this.#audit = audit; } }',
      constructorsKeepTheirObject,
    ],
    [
      ADMIN,
      'class A { constructor(parts: P) { const { a, b } = parts; this.#a = a; this.#b = b; } }',
      constructorsKeepTheirObject,
    ],
  ])('the rule reports breach %# in %s: %s', (path, text, rule) => {
    const breaches = rule([parseSource(path, text)]);
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain(path.split('/planted')[0]);
  });

  it('a cycle over three files is reported from end to end', () => {
    const file = (name: string, next: string) =>
      parseSource(`packages/server/src/${name}.ts`, `import './${next}.js';`);
    expect(nothingImportsInACircle([file('a', 'b'), file('b', 'c'), file('c', 'a')])).toEqual([
      ['a', 'b', 'c', 'a'].map((name) => `packages/server/src/${name}.ts`).join(' → ') +
        ' is an import cycle',
    ]);
  });

  it('a cycle that one type-only import closes is reported', () => {
    const a = parseSource('packages/server/src/a.ts', `import type { B } from './b.js';`);
    const b = parseSource('packages/server/src/b.ts', `import { a } from './a.js';`);
    expect(nothingImportsInACircle([a, b])).toEqual([
      ['a', 'b', 'a'].map((name) => `packages/server/src/${name}.ts`).join(' → ') + ' is an import cycle',
    ]);
  });
});

describe('code that resembles a breach', () => {
  it.each([
    ["const END = statement('end', 'DELETE FROM users_of_a_test WHERE id = $1');", usersAreNeverDeleted],
    ["const end = (trx, users) => trx('sessions').whereIn('user_id', users).delete();", usersAreNeverDeleted],
    [`const READ = 'SELECT 1 FROM sessions FOR UPDATE';`, tablesHaveOneWriter],
    ["const end = (trx) => trx('sessions_of_a_test').update({});", tablesHaveOneWriter],
    [`const text = 'Select a company; SELECTED';`, sqlStaysInRepositories],
    [`const setting = { example: 'SELECT id FROM firms' };`, sqlStaysInRepositories],
    [`const port = settings.env.PORT; const cwd = process.cwd();`, environmentIsReadInOnePlace],
    [`const one = 1; export { one };`, noBarrels],
    [`import type * as WebAuthn from '@simplewebauthn/server';`, webAuthnIsLoadedOnDemand],
    [`const load = () => import('@simplewebauthn/server');`, webAuthnIsLoadedOnDemand],
    [`import fs from 'node:fs'; import { z } from 'zod';`, declared],
    ['class A { constructor(a: A, b: B) { this.#a = a; this.#b = b; } }', constructorsKeepTheirObject],
    [
      'class A { constructor(deps: D) { this.#deps = deps; this.#ttl = deps.ttl * 1000; } }',
      constructorsKeepTheirObject,
    ],
  ])('no rule reports code %#: %s', (text, rule) => {
    expect(rule([parseSource('packages/core/src/settings/planted.ts', text)])).toEqual([]);
  });

  it.each([packagesImportDownwards, declared, meetByName])(
    'no rule reports a script of the pages that uses the client: rule %#',
    (rule) => {
      const path = 'packages/pages/src/browser/planted.ts';
      expect(rule([parseSource(path, `import { createClient } from '@latchkey/client';`)])).toEqual([]);
    },
  );
});

import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { findImportCycles } from './import-cycles.js';
import type { Import, PackageManifest, SourceFile } from './source-file.js';

/** A rule names each breach: the file, what it does, what the rule says. No breach, empty list. */
export type Rule = (files: readonly SourceFile[]) => string[];

/**
 * The packages that each package may import, or one entry of them: server and express-adapter → pages → http → core, cli → server
 * and core, since it runs core functions. Operators' tools are for the command line; the test kit is for host apps; the service and its commands start or find the PostgreSQL
 * of development that comes with it. The verifier is for services that have nothing else of ours, so it imports none.
 */
const PACKAGES_BELOW: Record<string, readonly string[]> = {
  core: [],
  http: ['core'],
  pages: ['core', 'http'],
  'express-adapter': ['core', 'http', 'pages'],
  testing: ['core'],
  operations: ['core'],
  server: ['core', 'http', 'pages', 'testing/embedded-postgres'],
  cli: ['core', 'operations', 'server', 'testing/embedded-postgres'],
  verifier: [],
  client: [],
};

/** The modules of the core, for packages of the same version. */
const INTERNAL = '@latchkey/core/internal/';

/** The packages that are built with the inside of the core. The others do with its entries. */
const SEES_INTERNALS: readonly string[] = ['testing', 'operations'];

/** The scripts of the pages are programs of their own: clients of the service, which the build bundles with the client. */
const BELOW_BROWSER_CODE = ['client'];

/** The layers of core's folders. The entries at the top see everything. */
const LAYERS: Record<string, number> = {
  'index.ts': 10,
  'keys.ts': 10,
  'names.ts': 10,
  'schemas.ts': 10,
  'settings.ts': 10,
  compose: 9,
  metrics: 8,
  'password-reset': 8,
  'email-verification': 8,
  'step-up': 8,
  'email-change': 8,
  'api-keys': 8,
  'app-sign-in': 7,
  'external-sign-in': 7,
  'mailed-sign-in': 7,
  'account-deletion': 8,
  login: 7,
  passkeys: 7,
  handoff: 8,
  'second-factor': 7,
  'profile-pictures': 8,
  erasure: 8,
  webhooks: 8,
  invitations: 7,
  'company-roles': 7,
  admin: 7,
  sessions: 6,
  hooks: 6,
  access: 6,
  factors: 6,
  memberships: 5,
  identities: 5,
  users: 4,
  'api-key-records': 4,
  'service-tokens': 4,
  'sign-in-devices': 4,
  'trusted-devices': 4,
  audit: 3,
  activity: 3,
  'rate-limits': 3,
  companies: 3,
  mail: 3,
  health: 3,
  revocations: 3,
  settings: 2,
  storage: 2,
  passwords: 2,
  tokens: 2,
  encryption: 2,
  outbound: 2,
  deliveries: 2,
  files: 2,
  geoip: 2,
  tracing: 2,
  'installed-core.ts': 1,
  'version.ts': 1,
  kernel: 1,
};

const SCOPE = '@latchkey/';

/** The package that a bare specifier names, without subpath; undefined for relative ones and Node's own. */
export function packageOf({ specifier }: Import): string | undefined {
  if (/^[./]|^node:/.test(specifier) || builtinModules.includes(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

export const packagesImportDownwards: Rule = (files) =>
  eachImport(files, (file, imported) => {
    const other = packageOf(imported);
    if (!other?.startsWith(SCOPE)) return undefined;
    const below = isForBrowsers(file.path) ? BELOW_BROWSER_CODE : PACKAGES_BELOW[file.package];
    if ([other, imported.specifier].some((name) => below?.includes(name.slice(SCOPE.length))))
      return undefined;
    return `imports ${imported.specifier}; ${file.package} may import ${listed(below)} there`;
  });

export const internalsStayInside: Rule = (files) =>
  eachImport(files, (file, { specifier }) =>
    specifier.startsWith(INTERNAL) && !SEES_INTERNALS.includes(file.package)
      ? `imports ${specifier}, which only ${listed(SEES_INTERNALS)} may`
      : undefined,
  );

export const packagesMeetByName =
  (manifests: readonly PackageManifest[]): Rule =>
  (files) =>
    eachImport(files, ({ package: own }, { specifier, target }) => {
      if (target !== undefined && !target.startsWith(`packages/${own}/`)) {
        return `imports ${specifier}, which leaves the package: use the other package's name`;
      }
      const published = manifests.flatMap((manifest) => manifest.specifiers);
      if (!specifier.startsWith(SCOPE) || published.includes(specifier)) return undefined;
      if (internalModuleOf(specifier) !== undefined) return undefined;
      return `imports ${specifier}, which is no published entry`;
    });

export const dependenciesAreDeclared =
  (manifestOf: (packageName: string) => PackageManifest): Rule =>
  (files) =>
    eachImport(files, (file, imported) => {
      const other = packageOf(imported);
      const { dependencies, bundled } = manifestOf(file.package);
      const declared = isForBrowsers(file.path) ? [...dependencies, ...bundled] : dependencies;
      if (other === undefined || declared.includes(other)) return undefined;
      return `imports ${other}, which the package.json of ${file.package} does not name`;
    });

/** The source file of a specifier `@latchkey/core/internal/…`, from the repository's root; undefined if there is none. */
export function internalModuleOf(specifier: string): string | undefined {
  if (!specifier.startsWith(INTERNAL)) return undefined;
  const file = `packages/core/src/${specifier.slice(INTERNAL.length)}.ts`;
  return existsSync(new URL(`../../../${file}`, import.meta.url)) ? file : undefined;
}

const isForBrowsers = (path: string): boolean => path.startsWith('packages/pages/src/browser/');

export const coreImportsGoDown: Rule = (files) =>
  eachImport(files.filter(isCore), (file, { specifier, target }) => {
    const [from, to] = [folderOf(file.path), folderOf(target ?? '')];
    if (target === undefined || from === to) return undefined;
    const [fromLayer, toLayer] = [LAYERS[from] ?? 0, LAYERS[to] ?? 0];
    if (toLayer < fromLayer) return undefined;
    return `(layer ${fromLayer}) imports ${specifier} (layer ${toLayer}); imports go to a lower layer`;
  });

export const coreFoldersHaveALayer: Rule = (files) => {
  const folders = new Set(files.filter(isCore).map(({ path }) => folderOf(path)));
  return [...folders]
    .filter((folder) => !(folder in LAYERS))
    .map((folder) => `packages/core/src/${folder} is not in the table of layers`);
};

export const commandGroupsAreSeparate: Rule = (files) =>
  eachImport(files, (file, { specifier, target = '' }) => {
    const [from, to] = [commandGroupOf(file.path), commandGroupOf(target)];
    if (from === undefined || to === undefined || from === to) return undefined;
    return `imports ${specifier}; what several groups of commands share lives in runtime/`;
  });

export const nothingImportsInACircle: Rule = (files) =>
  findImportCycles(files).map((cycle) => `${cycle.join(' → ')} is an import cycle`);

/** A tool imports `shared` and tools of earlier rows in tools/README.md: read from the top, nothing is unknown. */
export function toolsImportEarlierRows(rows: readonly string[]): Rule {
  return (files) =>
    eachImport(files, (file, { target }) => {
      const imported = /^tools\/([^/]+)\//.exec(target ?? '')?.[1];
      if (imported === undefined || imported === file.package) return undefined;
      if (rows.indexOf(imported) < rows.indexOf(file.package) && rows.includes(imported)) return undefined;
      return `imports tools/${imported}, whose row in tools/README.md comes later`;
    });
}

export const expressStaysAtTheEdge: Rule = (files) =>
  eachImport(files, (file, imported) => {
    if (file.package === 'express-adapter' || packageOf(imported) !== 'express') return undefined;
    return 'imports express, which only express-adapter knows';
  });

export const clientRunsInBrowsers: Rule = (files) =>
  eachImport(files, (file, { specifier }) => {
    const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
    if (file.package !== 'client' || !isBuiltin) return undefined;
    return `imports ${specifier}; the client runs in browsers, too`;
  });

/** `users` for `packages/cli/src/commands/users/set-role.ts`. */
const commandGroupOf = (path: string): string | undefined =>
  /^packages\/cli\/src\/commands\/([^/]+)\//.exec(path)?.[1];

const isCore = (file: SourceFile): boolean => file.package === 'core';

/** `users` for `packages/core/src/users/user.ts`. */
const folderOf = (path: string): string => path.split('/')[3] ?? '';

const listed = (names: readonly string[] = []): string => names.join(' and ') || 'no other package';

function eachImport(
  files: readonly SourceFile[],
  judge: (file: SourceFile, imported: Import) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const breach = judge(file, imported);
      return breach === undefined ? [] : [`${file.path} ${breach}`];
    }),
  );
}

import fs from 'node:fs';
import path from 'node:path';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { readText, ROOT } from './repository.js';

/** The packages that others import. */
const PACKAGES = ['core', 'http', 'pages', 'express-adapter', 'testing', 'operations', 'verifier', 'client'];

/** Schemas of Zod, whose types are unreadable and whose inputs are types of the core; and what our packages share. */
const LEFT_OUT = ['./src/schemas.ts', './src/internal.ts', './src/*.ts'];

/** Returns the published entries: name for imports and source file. */
function entries() {
  return PACKAGES.flatMap((name) => {
    const { exports } = JSON.parse(readText(`packages/${name}/package.json`));
    return Object.entries(exports).flatMap(([subpath, { 'latchkey-source': source }]) =>
      source === undefined || LEFT_OUT.includes(source)
        ? []
        : [
            {
              name: path.posix.join(`@latchkey/${name}`, subpath),
              file: path.join(ROOT, 'packages', name, source),
            },
          ],
    );
  });
}

/**
 * Writes the reference of the published packages as Markdown, one page for each entry, and returns its sidebar.
 * @throws Error if the sources do not compile
 */
export async function writeTypeScriptReference(folder) {
  const published = entries();
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: published.map(({ file }) => file),
    tsconfig: path.join(ROOT, 'site/tsconfig.json'),
    readme: 'none',
    name: 'TypeScript reference',
    logLevel: 'Error',
    // The sources are checked by `npm run typecheck`.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    githubPages: false,
    outputs: [{ name: 'markdown', path: folder }],
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    useCustomAnchors: true,
    parametersFormat: 'table',
    propertiesFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
    sanitizeComments: true,
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (reflection.kind !== ReflectionKind.Module) return;
    const source = context.getSymbolFromReflection(reflection)?.declarations?.[0].getSourceFile().fileName;
    reflection.name = published.find(({ file }) => file === source)?.name ?? reflection.name;
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc failed.');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('TypeDoc failed.');
  return sidebarOf(fs.readFileSync(path.join(folder, 'index.md'), 'utf8'));
}

/** Returns the entries that the index lists. */
const sidebarOf = (index) =>
  [...index.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, text, file]) => ({
    text,
    link: `/typescript/${file}.html`,
  }));

import { internalModuleOf, packageOf, type Rule } from './import-rules.js';
import type { Import, SourceFile } from './source-file.js';

/** The entries that come without further libraries. */
const LIGHT_ENTRIES = ['core/src/index', 'core/src/schemas', 'core/src/settings', 'operations/src/index'].map(
  (name) => `packages/${name}.ts`,
);

/** Libraries that nearly every program on the core loads. */
const NEEDED_BY_ALL = new Set(['zod', 'knex', 'pg', 'uuidv7', 'lru-cache']);

const isLoadedAtOnce = ({ isTypeOnly, isDynamic }: Import): boolean => !isTypeOnly && !isDynamic;

/** Each library costs every command of the command line some ten milliseconds or more. */
export const coreStartsLight: Rule = (files) =>
  LIGHT_ENTRIES.flatMap((entry) =>
    reachedFrom(entry, files).flatMap(({ path, imports }) =>
      imports.filter(isLoadedAtOnce).flatMap((imported) => {
        const library = packageOf(imported);
        if (library === undefined || NEEDED_BY_ALL.has(library) || targetOf(imported)) return [];
        return [`${path} loads ${library} with ${entry}; import() it, or what needs it, where it is used`];
      }),
    ),
  );

/** The entries that load no library, for lists that the help of commands names. */
const NAMES = ['core', 'operations'].map((name) => `@latchkey/${name}/names`);

export const namesLoadNoLibrary: Rule = (files) =>
  ['core', 'operations'].flatMap((name) =>
    reachedFrom(`packages/${name}/src/names.ts`, files).flatMap(({ path, imports }) =>
      imports
        .filter((imported) => isLoadedAtOnce(imported) && targetOf(imported) === undefined)
        .map(({ specifier }) => `${path} loads ${specifier} with an entry of names, which loads no library`),
    ),
  );

/** Help, completion and usage errors run without the rest of the core. */
export const commandLineLoadsOnDemand: Rule = (files) =>
  files
    .filter((file) => file.package === 'cli')
    .flatMap(({ path, imports }) =>
      imports
        .filter(isLoadedAtOnce)
        .filter(({ specifier }) => specifier.startsWith('@latchkey/') && !NAMES.includes(specifier))
        .map(({ specifier }) => `${path} loads ${specifier} before a command runs; import() it`),
    );

/** The source file that is imported, of the same package or of the inside of the core. */
const targetOf = ({ target, specifier }: Import): string | undefined => target ?? internalModuleOf(specifier);

/** A file and all that is loaded with it. */
function reachedFrom(start: string, files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<SourceFile>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (!file || reached.has(file)) return;
    reached.add(file);
    for (const imported of file.imports) {
      const target = targetOf(imported);
      if (isLoadedAtOnce(imported) && target !== undefined) visit(target);
    }
  };
  visit(start);
  return [...reached];
}

import { packageOf, type Rule } from './import-rules.js';
import type { Import, SourceFile } from './source-file.js';

/** The entries that come without further libraries. */
const LIGHT_ENTRIES = ['index', 'schemas', 'administration', 'settings'].map(
  (name) => `packages/core/src/${name}.ts`,
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
        if (library === undefined || NEEDED_BY_ALL.has(library)) return [];
        return [`${path} loads ${library} with ${entry}; import() it, or what needs it, where it is used`];
      }),
    ),
  );

/** The entry of the core that loads no library, for lists that the help of commands names. */
const NAMES = '@latchkey/core/names';

export const namesLoadNoLibrary: Rule = (files) =>
  reachedFrom('packages/core/src/names.ts', files).flatMap(({ path, imports }) =>
    imports
      .filter((imported) => isLoadedAtOnce(imported) && imported.target === undefined)
      .map(({ specifier }) => `${path} loads ${specifier} with ${NAMES}, which loads no library`),
  );

/** Help, completion and usage errors run without the rest of the core. */
export const commandLineLoadsOnDemand: Rule = (files) =>
  files
    .filter((file) => file.package === 'cli')
    .flatMap(({ path, imports }) =>
      imports
        .filter(isLoadedAtOnce)
        .filter(({ specifier }) => specifier.startsWith('@latchkey/') && specifier !== NAMES)
        .map(({ specifier }) => `${path} loads ${specifier} before a command runs; import() it`),
    );

/** A file and all that is loaded with it. */
function reachedFrom(start: string, files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<SourceFile>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (!file || reached.has(file)) return;
    reached.add(file);
    for (const imported of file.imports) {
      if (isLoadedAtOnce(imported) && imported.target !== undefined) visit(imported.target);
    }
  };
  visit(start);
  return [...reached];
}

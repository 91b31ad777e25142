import type { SourceFile } from './source-file.js';

/**
 * Returns every import cycle as the files on it, in order. Type-only imports count: files that know each other's types
 * cannot be read one by one either. Of cycles that share a file only one is returned; the next appears when it is gone.
 */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  const importsOf = new Map(files.map((file) => [file.path, importsIn(file)]));
  const done = new Set<string>();
  const cycles: string[][] = [];

  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const next of importsOf.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };

  for (const { path } of files) visit(path, []);
  return cycles;
}

const importsIn = ({ imports }: SourceFile): string[] =>
  imports.flatMap(({ target }) => (target === undefined ? [] : [target]));

import type { SourceFile } from './source-file.js';

/**
 * Every import cycle, as the files on it in order. Type-only imports do not count: they are gone when the code runs.
 * Of cycles that share a file one is told; the next shows when it is mended.
 */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  const importsOf = new Map(files.map((file) => [file.path, valueImportsOf(file)]));
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

const valueImportsOf = ({ imports }: SourceFile): string[] =>
  imports.flatMap(({ target, isTypeOnly }) => (target === undefined || isTypeOnly ? [] : [target]));

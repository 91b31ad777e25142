import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ts } from '../compiler/typescript.js';

/** What a reader of sources meets: their size, and the names in them. */
export interface Concepts {
  files: number;
  lines: number;
  /** Names that a file declares for others; names that an entry passes on are not counted again. */
  exports: number;
  /** Classes, interfaces, types and enums. */
  types: number;
}

const NOTHING: Concepts = { files: 0, lines: 0, exports: 0, types: 0 };

/** Counts the sources of each package, without tests and generated files, and of all together. */
export function countPackages(root: string): Map<string, Concepts> {
  const counts = new Map<string, Concepts>();
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const files = sourcesBelow(path.join(root, 'packages', name, 'src'));
    counts.set(name, files.map((file) => conceptsOf(readFileSync(file, 'utf8'), file)).reduce(sum, NOTHING));
  }
  return counts.set('all', [...counts.values()].reduce(sum, NOTHING));
}

/** Counts one source. @param file its name, which says whether it is TSX. */
export function conceptsOf(text: string, file: string): Concepts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const declared = source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(() => statement)
      : isDeclaration(statement)
        ? [statement]
        : [],
  );
  return {
    files: 1,
    lines: text.split('\n').length - 1,
    exports: declared.filter(isExported).length,
    types: declared.filter(isType).length,
  };
}

/** Returns a number per 1,000 lines. */
export const perThousand = (count: number, { lines }: Concepts): number => (count / lines) * 1000;

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file))
    .filter((file) => !file.split(path.sep).includes('generated'))
    .map((file) => path.join(folder, file));
}

const isDeclaration = (statement: ts.Statement): boolean =>
  ts.isFunctionDeclaration(statement) || isType(statement);

const isType = (statement: ts.Statement): boolean =>
  ts.isClassDeclaration(statement) ||
  ts.isInterfaceDeclaration(statement) ||
  ts.isTypeAliasDeclaration(statement) ||
  ts.isEnumDeclaration(statement);

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const sum = (a: Concepts, b: Concepts): Concepts => ({
  files: a.files + b.files,
  lines: a.lines + b.lines,
  exports: a.exports + b.exports,
  types: a.types + b.types,
});

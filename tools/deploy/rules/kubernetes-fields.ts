import path from 'node:path';
import { ts } from '../../compiler/typescript.js';
import { asText, type YamlMap } from './yaml-documents.js';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/**
 * Returns the fields that Kubernetes does not have, those it misses, and values of a wrong type. A misspelt field is
 * ignored by a cluster and allowed by its schema, so the objects are compiled against the types of the API instead.
 */
export function faultsOfFields(objects: readonly YamlMap[], folder: string): string[] {
  const file = path.join(folder, 'kubernetes-objects.ts');
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    getSourceFile: (name, version) =>
      name === file
        ? ts.createSourceFile(name, objects.map(declaration).join('\n'), version)
        : disk.getSourceFile(name, version),
  };
  const program = ts.createProgram([file], OPTIONS, host);
  const found = program.getSemanticDiagnostics(program.getSourceFile(file));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

function declaration(object: YamlMap, index: number): string {
  const kind = asText(object.kind);
  const type = `import('kubernetes-models/${asText(object.apiVersion)}').I${kind}`;
  return `export const ${kind}${index}: ${type} = ${JSON.stringify(object)};`;
}

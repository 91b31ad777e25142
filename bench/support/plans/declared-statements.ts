import { allNodes, readPackageSources } from '../../../test/support/architecture/source-file.js';
import { ts } from '../../../tools/compiler/typescript.js';

/** The declaration of a prepared statement in the sources, or of several by one template. */
export interface DeclaredStatement {
  /** The name; parts that are known at run time only are `*`. */
  name: string;
  matches: (name: string) => boolean;
  /** From the repository's root. */
  file: string;
}

/**
 * Returns every call of `statement` in the core and in the operators' tools.
 * @throws Error for a name that is neither a literal nor a template.
 */
export function declaredStatements(): DeclaredStatement[] {
  return readPackageSources()
    .filter(({ package: folder }) => folder === 'core' || folder === 'operations')
    .flatMap(({ path, syntax }) =>
      [...allNodes(syntax)].filter(isDeclaration).map((call) => ({ ...nameOf(call, path), file: path })),
    );
}

const isDeclaration = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'statement';

function nameOf(call: ts.CallExpression, file: string): Pick<DeclaredStatement, 'name' | 'matches'> {
  const [node] = call.arguments;
  if (node && ts.isStringLiteralLike(node)) {
    const { text } = node;
    return { name: text, matches: (name) => name === text };
  }
  if (node && ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    const pattern = new RegExp(`^${parts.join('.+')}$`);
    return { name: parts.join('*'), matches: (name) => pattern.test(name) };
  }
  throw new Error(
    `${file}: the name of a statement must be a literal or a template, so that it can be found.`,
  );
}

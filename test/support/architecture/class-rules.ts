import { ts } from '../../../tools/compiler/typescript.js';
import type { Rule } from './import-rules.js';
import { allNodes } from './source-file.js';

/** A class keeps the object its constructor takes: each dependency is declared once, in the type of that object. */
export const constructorsKeepTheirObject: Rule = (files) =>
  files.flatMap(({ path, syntax }) =>
    [...allNodes(syntax)].filter(ts.isConstructorDeclaration).flatMap((constructor) => {
      const copied = constructor.parameters.map((parameter) => copiesOf(constructor, parameter));
      if (!copied.some((fields) => fields.length > 1)) return [];
      const { line } = syntax.getLineAndCharacterOfPosition(constructor.getStart());
      return [`${path}:${line + 1} copies ${copied.flat().join(', ')} from one object; keep it as #deps`];
    }),
  );

/** The private fields that are set to a property of the parameter, named or taken out of it. */
function copiesOf({ body }: ts.ConstructorDeclaration, { name }: ts.ParameterDeclaration): string[] {
  const statements = [...(body?.statements ?? [])];
  const patterns = [name, ...statements.flatMap((statement) => patternsOver(name, statement))];
  const taken = new Set(
    patterns
      .filter(ts.isObjectBindingPattern)
      .flatMap(({ elements }) => elements.map((each) => each.name.getText())),
  );
  return statements.flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return [];
    const { left, operatorToken, right } = statement.expression;
    const isField = ts.isPropertyAccessExpression(left) && ts.isPrivateIdentifier(left.name);
    if (!isField || operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
    const isProperty = ts.isPropertyAccessExpression(right) && right.expression.getText() === name.getText();
    return isProperty || taken.has(right.getText()) ? [left.name.text] : [];
  });
}

const patternsOver = (name: ts.BindingName, statement: ts.Statement): ts.BindingName[] =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
        .filter(({ initializer }) => initializer?.getText() === name.getText())
        .map((declaration) => declaration.name)
    : [];

import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** A selector of an expression: a metric, and what its labels must be. */
export interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
}

export interface ParsedExpression {
  /** The parts that are no PromQL. */
  faults: string[];
  selectors: Selector[];
  /** Labels it groups, joins or matches by. */
  labels: string[];
}

/** Takes a PromQL expression apart; what Grafana fills in has the place of something of its kind. */
export function parseExpression(text: string): ParsedExpression {
  const expression = text.replaceAll('$__rate_interval', '5m');
  const parsed: ParsedExpression = { faults: [], selectors: [], labels: [] };
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: (reference) => {
      if (reference.type.isError) parsed.faults.push(`${textOf(reference)} at ${reference.from}`);
      if (reference.name === 'LabelName') parsed.labels.push(textOf(reference));
      if (reference.name === 'VectorSelector') parsed.selectors.push(selectorOf(reference.node, textOf));
    },
  });
  return parsed;
}

function selectorOf(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Selector {
  const child = (parent: SyntaxNode, name: string) => {
    const found = parent.getChild(name);
    return found ? textOf(found) : '';
  };
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    metric: child(node, 'Identifier'),
    matchers: matchers.map((matcher) => ({
      label: child(matcher, 'LabelName'),
      operator: child(matcher, 'MatchOp'),
      value: child(matcher, 'StringLiteral').slice(1, -1),
    })),
  };
}

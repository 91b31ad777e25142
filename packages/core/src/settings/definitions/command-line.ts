import { isOperatorName, OPERATOR_NAME_RULE } from '../../kernel/operator-name.js';
import { kindOf, Problem } from '../kinds/setting-kind.js';
import { optional } from '../setting-definition.js';

export const commandLineDefinitions = [
  optional({
    name: 'LATCHKEY_OPERATOR',
    group: 'Command line',
    kind: kindOf(OPERATOR_NAME_RULE, (text) => (isOperatorName(text) ? text : new Problem('not a name'))),
    default: 'the account of the operating system; in production a shared account such as root is rejected',
    description:
      'The name of the operator, recorded in the audit log as `cli:<name>`. `--as` overrides it for one command.',
    example: 'ann@example.com',
  }),
] as const;

import { boolean, choice, duration, text } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const serviceDefinitions = [
  defaulted({
    name: 'APP_ENV',
    group: 'Service',
    kind: choice(['development', 'test', 'production']),
    default: 'development',
    description: 'What this process is for. In production nothing is embedded and the strict defaults hold.',
  }),
  defaulted({
    name: 'LOG_LEVEL',
    group: 'Service',
    kind: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    description: 'The least important messages that are still logged.',
  }),
  optional({
    name: 'SHUTDOWN_DELAY',
    group: 'Service',
    kind: duration('0s', '60s'),
    default: '5 in production, else 0',
    example: '5',
    description:
      'How long a stop goes on serving new requests after `/ready` has turned to 503, so that load balancers notice.',
  }),
  defaulted({
    name: 'SHUTDOWN_TIMEOUT',
    group: 'Service',
    kind: duration('1s', '5m'),
    default: '15',
    description: 'How long a stop waits for open requests, after `SHUTDOWN_DELAY`.',
  }),
  defaulted({
    name: 'READY_REQUIRE_REDIS',
    group: 'Service',
    kind: boolean,
    default: 'true',
    description: 'Whether `/ready` fails while Redis is away. Off keeps replicas in rotation meanwhile.',
  }),
  defaulted({
    name: 'DATA_DIR',
    group: 'Service',
    kind: text('a directory path'),
    default: '.latchkey/',
    description: 'Where the embedded database and the generated signing key live, outside production only.',
  }),
] as const;

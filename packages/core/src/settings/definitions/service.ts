import { boolean, choice, duration, text } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const serviceDefinitions = [
  defaulted({
    name: 'APP_ENV',
    group: 'Service',
    kind: choice(['development', 'test', 'production']),
    default: 'development',
    description: 'The environment. In production nothing is embedded and defaults are strict.',
  }),
  defaulted({
    name: 'LOG_LEVEL',
    group: 'Service',
    kind: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    description: 'Minimum severity to log.',
  }),
  defaulted({
    name: 'TRACING',
    group: 'Service',
    kind: boolean,
    default: 'false',
    description:
      'Spans of OpenTelemetry for requests, statements, password hashes, Redis and mail. Needs the package ' +
      '`@opentelemetry/api` and an SDK that is loaded before the service.',
  }),
  optional({
    name: 'SHUTDOWN_DELAY',
    group: 'Service',
    kind: duration('0s', '60s'),
    default: '5 in production, else 0',
    example: '5',
    description:
      'How long a stopping process serves new requests after `/ready` has changed to 503, so that load balancers notice.',
  }),
  defaulted({
    name: 'SHUTDOWN_TIMEOUT',
    group: 'Service',
    kind: duration('1s', '5m'),
    default: '15',
    description: 'How long a stopping process waits for open requests after `SHUTDOWN_DELAY`.',
  }),
  defaulted({
    name: 'READY_REQUIRE_REDIS',
    group: 'Service',
    kind: boolean,
    default: 'true',
    description: 'Whether `/ready` fails while Redis is unavailable. If off, replicas stay in rotation.',
  }),
  defaulted({
    name: 'DATA_DIR',
    group: 'Service',
    kind: text('a directory path'),
    default: '.latchkey/',
    description: 'Folder of the embedded database and the generated signing key. Not used in production.',
  }),
] as const;

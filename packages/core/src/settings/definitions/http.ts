import { boolean, integer, text } from '../kinds/plain-kinds.js';
import { originList, proxyTrust, webAddress } from '../kinds/web-address-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const httpDefinitions = [
  defaulted({
    name: 'HOST',
    group: 'HTTP',
    kind: text('a host name or IP address', /^[^\s/]+$/),
    default: '0.0.0.0',
    description: 'The address to listen on.',
  }),
  defaulted({
    name: 'PORT',
    group: 'HTTP',
    kind: integer(0, 65_535),
    default: '3097',
    description: 'The port to listen on; 0 takes any free one.',
  }),
  optional({
    name: 'METRICS_PORT',
    group: 'HTTP',
    kind: integer(1, 65_535),
    default: 'unset: `/metrics` on `PORT`, with the internal key',
    description:
      'A port of its own for `/metrics`, without a key; on `PORT` it is then not found. Not the same as `PORT`.',
    example: '9464',
  }),
  defaulted({
    name: 'METRICS_HOST',
    group: 'HTTP',
    kind: text('a host name or IP address', /^[^\s/]+$/),
    default: '127.0.0.1',
    description:
      'The address to listen on at `METRICS_PORT`. `0.0.0.0` opens it to whoever reaches the machine: see that only monitoring does.',
  }),
  optional({
    name: 'AUTH_BASE_URL',
    group: 'HTTP',
    kind: webAddress,
    default: '`SERVER_URL`, else `http://localhost:PORT`',
    description:
      'The public address of this service: links in mails start with it. Required in production, with https unless it is this machine.',
    example: 'https://auth.example.com',
  }),
  optional({
    name: 'SERVER_URL',
    group: 'HTTP',
    kind: webAddress,
    default: 'unset',
    description: 'The public address when `AUTH_BASE_URL` is unset; then the same holds for it.',
    example: 'https://auth.example.com',
  }),
  optional({
    name: 'WEB_APP_URL',
    group: 'HTTP',
    kind: webAddress,
    default: 'unset',
    description: 'Where the pages of this service send people when they are done.',
    example: 'https://app.example.com',
  }),
  optional({
    name: 'TRUST_PROXY',
    group: 'HTTP',
    kind: proxyTrust,
    default: 'unset: no proxy is believed',
    description:
      'Whose `X-Forwarded-*` headers are believed: addresses and ranges of proxies, or how many there are. Addresses are ' +
      'safer: a number believes whoever reaches the service past the proxies. `true` is refused.',
    example: '10.0.0.7',
  }),
  optional({
    name: 'CORS_ORIGINS',
    group: 'HTTP',
    kind: originList,
    default: 'unset: none',
    description: 'The browser origins that may call this service from their scripts.',
    example: 'https://app.example.com',
  }),
  optional({
    name: 'AUTH_WEB_FORCE_HTTPS',
    group: 'HTTP',
    kind: boolean,
    default: 'on in production, else off',
    description: 'Redirects the pages to HTTPS. API, health and key set routes are never redirected.',
    example: 'true',
  }),
  defaulted({
    name: 'AUTH_WEB_COOKIE_MODE',
    group: 'HTTP',
    kind: boolean,
    default: 'false',
    description:
      'Lets browsers that send `X-Auth-Mode: cookie` keep their tokens in cookies. Needs HTTPS, and `AUTH_BASE_URL` as browsers see it.',
  }),
] as const;

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
    description: 'The port to listen on; 0 selects a free port.',
  }),
  optional({
    name: 'METRICS_PORT',
    group: 'HTTP',
    kind: integer(1, 65_535),
    default: 'unset: `/metrics` on `PORT`, with the internal key',
    description:
      'A separate port for `/metrics`, without a key. `/metrics` on `PORT` is then 404. Must differ from `PORT`.',
    example: '9464',
  }),
  defaulted({
    name: 'METRICS_HOST',
    group: 'HTTP',
    kind: text('a host name or IP address', /^[^\s/]+$/),
    default: '127.0.0.1',
    description:
      'The address to listen on for `METRICS_PORT`. `0.0.0.0` opens it to the network: restrict access to your monitoring.',
  }),
  optional({
    name: 'AUTH_BASE_URL',
    group: 'HTTP',
    kind: webAddress,
    default: '`SERVER_URL`, else `http://localhost:PORT`',
    description:
      'The public address of this service. Links in mails start with it. Required in production; must be https unless it is on this machine.',
    example: 'https://auth.example.com',
  }),
  optional({
    name: 'SERVER_URL',
    group: 'HTTP',
    kind: webAddress,
    default: 'unset',
    description: 'The public address if `AUTH_BASE_URL` is unset, with the same rules.',
    example: 'https://auth.example.com',
  }),
  optional({
    name: 'WEB_APP_URL',
    group: 'HTTP',
    kind: webAddress,
    default: 'unset',
    description: 'The address that the pages of this service redirect to when they are done.',
    example: 'https://app.example.com',
  }),
  optional({
    name: 'TRUST_PROXY',
    group: 'HTTP',
    kind: proxyTrust,
    default: 'unset: no proxy is trusted',
    description:
      'The proxies whose `X-Forwarded-*` headers are trusted: their addresses and ranges, or their number. Addresses are ' +
      'safer: with a number, a client that bypasses the proxies can forge its address. `true` is rejected.',
    example: '10.0.0.7',
  }),
  optional({
    name: 'CORS_ORIGINS',
    group: 'HTTP',
    kind: originList,
    default: 'unset: none',
    description: 'The browser origins whose scripts may call this service.',
    example: 'https://app.example.com',
  }),
  optional({
    name: 'AUTH_WEB_FORCE_HTTPS',
    group: 'HTTP',
    kind: boolean,
    default: 'on in production, else off',
    description: 'Redirects pages to HTTPS. API, health and key set routes are never redirected.',
    example: 'true',
  }),
  defaulted({
    name: 'API_DOCS_ENABLED',
    group: 'HTTP',
    kind: boolean,
    default: 'true',
    description:
      'Serves the API reference at `/docs`. The OpenAPI document at `/openapi.json` is served in any case: clients are generated from it.',
  }),
  defaulted({
    name: 'AUTH_WEB_COOKIE_MODE',
    group: 'HTTP',
    kind: boolean,
    default: 'false',
    description:
      'Allows browsers that send `X-Auth-Mode: cookie` to keep their tokens in cookies. Requires HTTPS, and `AUTH_BASE_URL` as browsers see it.',
  }),
] as const;

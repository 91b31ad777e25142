import type { Auth } from '@latchkey/core';
import type { EmbeddedPostgres } from '@latchkey/core/embedded-postgres';
import { version } from './version.js';

export interface StartupFacts {
  auth: Auth;
  embedded: EmbeddedPostgres | undefined;
  /** Where the signing key is kept, when it was made here. */
  keyFile: string | undefined;
  port: number;
}

/** What a person who has just started the service wants to know, one fact a line. */
export function startupSummary({ auth, embedded, keyFile, port }: StartupFacts): string {
  const { settings, facts } = auth;
  const lines: [string, string][] = [
    ['environment', settings.environment],
    ['address', `http://${settings.http.host}:${port} (public: ${settings.http.baseUrl})`],
    ['database', describeDatabase(settings.database.url, embedded)],
    ['redis', describeRedis(settings.redis.url)],
    [
      'signing key',
      `${facts.signingKeyId}${keyFile === undefined ? '' : `, development only: kept in ${keyFile}`}`,
    ],
    ['passwords', `Argon2id by ${facts.passwordEngine}`],
    ['mail', describeMail(facts.mailTransport, port)],
    ['core service', describeCoreService(settings)],
    ['registration', settings.registration.enabled ? 'open' : 'off (PUBLIC_REGISTRATION_ENABLED)'],
    ['machine routes', settings.machine.internalApiKeys.length > 0 ? 'on' : 'off (AUTH_INTERNAL_API_KEY)'],
    ['metrics', describeMetrics(settings, port)],
    ['passkeys', settings.passkeys.enabled ? `on for ${settings.passkeys.relyingPartyId ?? ''}` : 'off'],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    `Latchkey ${version} is ready`,
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ].join('\n');
}

function describeDatabase(url: string | undefined, embedded: EmbeddedPostgres | undefined): string {
  if (embedded) return `embedded PostgreSQL, development only: ${withoutSecrets(embedded.url)}`;
  return withoutSecrets(url ?? '');
}

function describeRedis(url: string | undefined): string {
  return url === undefined
    ? 'in-process store, development only (REDIS_URL)'
    : url.split(',').map(withoutSecrets).join(',');
}

function describeMail(transport: Auth['facts']['mailTransport'], port: number): string {
  switch (transport) {
    case 'smtp':
      return 'SMTP';
    case 'inbox':
      return `kept at http://localhost:${port}/dev/mail, links are logged; development only (SMTP_URL, MAIL_FROM)`;
    case 'off':
      return 'off: no mail is sent (SMTP_URL, MAIL_FROM)';
  }
}

function describeCoreService({ coreService, environment }: Auth['settings']): string {
  if (coreService.baseUrl !== undefined) return coreService.baseUrl;
  const hint = environment === 'production' ? '' : '; for one to try it with: npm run example:core';
  return `none: nobody's access in a company can be resolved (CORE_BASE_URL)${hint}`;
}

function describeMetrics({ metrics, machine }: Auth['settings'], port: number): string {
  if (metrics.port !== undefined) return `http://${metrics.host}:${metrics.port}/metrics, without a key`;
  if (machine.internalApiKeys.length > 0) return `http://localhost:${port}/metrics, with the internal key`;
  return 'off (METRICS_PORT, or AUTH_INTERNAL_API_KEY)';
}

/** Without user, password and query: drivers take a password from there, too. */
const withoutSecrets = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/\/\S*@/, '//');

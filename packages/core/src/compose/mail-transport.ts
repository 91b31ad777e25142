import type { Settings } from '../settings/settings.js';

/** How mail leaves; `off` in production without SMTP, where an inbox that logs links has no place. */
export type MailTransport = 'smtp' | 'inbox' | 'off';

type Needs = Pick<Settings, 'mail' | 'environment'>;

/** The mail server and the sender; undefined unless both are set. */
export function smtpOf({ mail: { smtpUrl, from } }: Needs): { url: string; from: string } | undefined {
  return smtpUrl === undefined || from === undefined ? undefined : { url: smtpUrl, from };
}

export function mailTransportOf(settings: Needs): MailTransport {
  if (smtpOf(settings)) return 'smtp';
  return settings.environment === 'production' ? 'off' : 'inbox';
}

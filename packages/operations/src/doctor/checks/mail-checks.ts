import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { isLocalHost } from '@latchkey/core/internal/kernel/local-host';
import { smtpSecurityOf } from '@latchkey/core/internal/mail/smtp-server';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import { check, ok, reachCheck, skipped, warning, type Check, type Verdict } from '../check.js';
import { isProduction } from '../environment.js';
import { domainOf } from '../probes/sender-probe.js';

const OLD_MAIL_SECONDS = 900;

/** Domains that are reserved (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)$/;

export const mailChecks: readonly Check[] = [
  check({
    id: 'mail.configured',
    group: 'Mail',
    title: 'Mail is sent',
    why: 'Links of invitations and password resets are sent by mail only.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (settings.mail.byApp) return ok('by the app (MAIL_BY_APP)');
      if (settings.mail.smtpUrl !== undefined) return ok('by SMTP');
      return isProduction(settings)
        ? warning(
            'no mail is sent',
            'set SMTP_URL and MAIL_FROM, or MAIL_BY_APP=true where an app sends it by mail.send',
          )
        : skipped('kept at /dev/mail, development only');
    },
  }),
  reachCheck({
    id: 'mail.reachable',
    group: 'Mail',
    title: 'The mail server accepts connections',
    why: 'Until it does, mail waits in the database and is given up after some hours.',
    reaches: 'mailServer',
    fix: 'check host, port, user and password in SMTP_URL, and whether it requires TLS (smtps://); then: latchkey mail test',
    judge: ({ milliseconds }) => ok(`greeting and sign-in in ${Math.round(milliseconds)} ms`),
  }),
  check({
    id: 'mail.security',
    group: 'Mail',
    title: 'Mail and its login are encrypted in transit to the mail server',
    why: 'Anyone who reads the connection gets the login of the mail server and every password reset link.',
    needs: ['settings'],
    judge: ({ settings }) => judgeSecurity(settings),
  }),
  check({
    id: 'mail.sender',
    group: 'Mail',
    title: 'The sender has an address of its own domain',
    why: 'Reserved domains have no owner: mail servers reject mail from them.',
    needs: ['settings'],
    judge: ({ settings: { mail } }) => {
      if (mail.from === undefined) return skipped('MAIL_FROM is not set');
      const domain = domainOf(mail.from);
      return RESERVED.test(domain) || !domain.includes('.')
        ? warning(domain, 'set MAIL_FROM to an address under your own domain')
        : ok(domain);
    },
  }),
  check({
    id: 'mail.domain',
    group: 'Mail',
    title: 'The domain of the sender is set up for mail',
    why: 'Without an MX record bounces are lost; without an SPF record much of the mail is treated as spam.',
    needs: ['sender'],
    judge: ({ sender: { domain, takesMail, hasSpf } }) => {
      if (!takesMail)
        return warning(
          `${domain} accepts no mail`,
          `publish an MX record for ${domain}, or correct MAIL_FROM`,
        );
      return hasSpf
        ? ok(`${domain} accepts mail and has an SPF record`)
        : warning(
            `${domain} has no SPF record`,
            `publish an SPF record that names the servers that send for ${domain}`,
          );
    },
  }),
  check({
    id: 'mail.outbox',
    group: 'Mail',
    title: 'No mail is stuck',
    why: 'A user is waiting for an invitation or a password reset.',
    needs: ['content'],
    judge: ({ content: { outbox } }) => {
      const { waiting, oldestWait, givenUp, lastError } = outbox;
      const found = [
        `${waiting} waiting`,
        ...(waiting > 0 ? [`the oldest for ${roundedDurationText(oldestWait)}`] : []),
        `${givenUp} given up in 7 days`,
        ...(givenUp > 0 || oldestWait > OLD_MAIL_SECONDS ? [`last error: ${lastError ?? 'none'}`] : []),
      ].join(', ');
      return givenUp > 0 || oldestWait > OLD_MAIL_SECONDS
        ? warning(
            found,
            'list them: latchkey mail outbox; fix the mail server or the address, then: latchkey mail retry',
          )
        : ok(found);
    },
  }),
];

const FIX_SECURITY = 'name a server with STARTTLS (smtp://host:587) or TLS (smtps://host:465) in SMTP_URL';

function judgeSecurity(settings: Settings): Verdict {
  const smtpUrl = settings.mail.smtpUrl?.reveal();
  if (smtpUrl === undefined) return skipped('SMTP_URL is not set');
  switch (smtpSecurityOf(smtpUrl, isProduction(settings))) {
    case 'tls':
      return ok('TLS from the first byte (smtps://)');
    case 'starttls':
      return ok('STARTTLS is required');
    case 'opportunistic':
      return ok('STARTTLS if the server offers it, which is sufficient on this machine and in development');
    case 'none':
      return isLocalHost(new URL(smtpUrl).hostname)
        ? ok('not encrypted (?tls=none), on this machine')
        : warning('not encrypted (?tls=none)', FIX_SECURITY);
  }
}

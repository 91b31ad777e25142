import { isLocalHost } from '../../kernel/local-host.js';
import { smtpSecurityOf } from '../../mail/smtp-server.js';
import type { Settings } from '../../settings/settings.js';
import { check, ok, reachCheck, skipped, warning, type Check, type Verdict } from '../check.js';
import { domainOf } from '../probes/sender-probe.js';
import { inWords, isProduction } from '../situation.js';

const OLD_MAIL_SECONDS = 900;

/** Names that nobody can own (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)$/;

export const mailChecks: readonly Check[] = [
  check({
    id: 'mail.configured',
    group: 'Mail',
    title: 'Mail can leave',
    why: 'Links of invitations and password resets are only ever in mails.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (settings.mail.smtpUrl !== undefined) return ok('by SMTP');
      return isProduction(settings)
        ? warning('no mail is sent', 'set SMTP_URL and MAIL_FROM')
        : skipped('kept at /dev/mail, development only');
    },
  }),
  reachCheck({
    id: 'mail.reachable',
    group: 'Mail',
    title: 'The mail server takes our connection',
    why: 'Mail waits in the database until it does, and is given up after some hours.',
    reaches: 'mailServer',
    fix: 'check host, port, user and password in SMTP_URL, and whether it wants TLS (smtps://); then: latchkey mail test',
    judge: ({ milliseconds }) => ok(`greeting and sign-in in ${Math.round(milliseconds)} ms`),
  }),
  check({
    id: 'mail.security',
    group: 'Mail',
    title: 'Mail and its login are encrypted on the way to the mail server',
    why: 'Whoever reads the connection has the login of the mail server and every link for a new password.',
    needs: ['settings'],
    judge: ({ settings }) => judgeSecurity(settings),
  }),
  check({
    id: 'mail.sender',
    group: 'Mail',
    title: 'The sender has an address of its own domain',
    why: 'Nobody can own a reserved domain: mail servers refuse what claims to come from it.',
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
    why: 'Without MX record bounces are lost; without SPF record much of the mail ends as spam.',
    needs: ['sender'],
    judge: ({ sender: { domain, takesMail, hasSpf } }) => {
      if (!takesMail)
        return warning(`${domain} takes no mail`, `publish an MX record for ${domain}, or correct MAIL_FROM`);
      return hasSpf
        ? ok(`${domain} takes mail and has an SPF record`)
        : warning(
            `${domain} has no SPF record`,
            `publish one that names the servers that send for ${domain}`,
          );
    },
  }),
  check({
    id: 'mail.outbox',
    group: 'Mail',
    title: 'No mail is stuck',
    why: 'Somebody waits for an invitation or a password reset.',
    needs: ['content'],
    judge: ({ content: { outbox } }) => {
      const { waiting, oldestWait, givenUp, lastError } = outbox;
      const found = [
        `${waiting} waiting`,
        ...(waiting > 0 ? [`the oldest for ${inWords(oldestWait)}`] : []),
        `${givenUp} given up in 7 days`,
        ...(givenUp > 0 || oldestWait > OLD_MAIL_SECONDS ? [`last error: ${lastError ?? 'none'}`] : []),
      ].join(', ');
      return givenUp > 0 || oldestWait > OLD_MAIL_SECONDS
        ? warning(
            found,
            'see which: latchkey mail outbox; fix the mail server or the address, then: latchkey mail retry',
          )
        : ok(found);
    },
  }),
];

const MEND_SECURITY = 'name a server with STARTTLS (smtp://host:587) or TLS (smtps://host:465) in SMTP_URL';

function judgeSecurity(settings: Settings): Verdict {
  const smtpUrl = settings.mail.smtpUrl?.reveal();
  if (smtpUrl === undefined) return skipped('SMTP_URL is not set');
  switch (smtpSecurityOf(smtpUrl, isProduction(settings))) {
    case 'tls':
      return ok('TLS from the first byte (smtps://)');
    case 'starttls':
      return ok('STARTTLS is required');
    case 'opportunistic':
      return ok('STARTTLS where the server offers it, which is enough for this machine and for development');
    case 'none':
      return isLocalHost(new URL(smtpUrl).hostname)
        ? ok('not encrypted (?tls=none), on this machine')
        : warning('not encrypted (?tls=none)', MEND_SECURITY);
  }
}

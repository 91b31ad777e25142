import { smtpUrl } from '../kinds/connection-kinds.js';
import { emailList } from '../kinds/email-kinds.js';
import { boolean, choice, duration, integer, text } from '../kinds/plain-kinds.js';
import { passkeyOriginList, relyingPartyId } from '../kinds/web-address-kinds.js';
import { REGISTRATION_APPROVALS } from '../registration-approval.js';
import { defaulted, optional, secret } from '../setting-definition.js';

const passwordDefinitions = [
  defaulted({
    name: 'PUBLIC_REGISTRATION_ENABLED',
    group: 'Registration and passwords',
    kind: boolean,
    default: 'false',
    description: 'Whether people may register themselves.',
  }),
  defaulted({
    name: 'REGISTRATION_APPROVAL',
    group: 'Registration and passwords',
    kind: choice(REGISTRATION_APPROVALS),
    default: 'staff',
    description:
      'Who approves a registration: `staff`, one by one; `verified`: whoever opens the link that is mailed to the address and gives the password, which needs `SMTP_URL` and `MAIL_FROM` in production; or `none`: whoever registers may sign in at once, though nobody has proved that the email is theirs.',
  }),
  optional({
    name: 'APPROVAL_NOTICE_TO',
    group: 'Registration and passwords',
    kind: emailList,
    default: 'unset: nobody is told',
    description:
      'Comma-separated addresses that are told by mail when registrations wait for approval: how many, and where to look. Each gets at most one mail an hour.',
    example: 'approvals@example.com',
  }),
  defaulted({
    name: 'PASSWORD_MIN_LENGTH',
    group: 'Registration and passwords',
    kind: integer(8, 256),
    default: '8',
    description: 'The fewest characters of a new password.',
  }),
  optional({
    name: 'PASSWORD_BLOCKLIST',
    group: 'Registration and passwords',
    kind: boolean,
    default: 'on in production, else off',
    description:
      'Refuses common passwords, the product name and the beginning of the own email address, also with digits added, and sequences and repetitions. Where it is off in development, the log says what it would refuse.',
    example: 'true',
  }),
  defaulted({
    name: 'ARGON2_MEMORY_KIB',
    group: 'Registration and passwords',
    kind: integer(19_456, 1_048_576),
    default: '19456',
    description:
      'Memory of one password hash in KiB. Stored hashes follow at the next sign-in; until then unknown emails cost what stored hashes cost, in their proportion.',
  }),
  defaulted({
    name: 'ARGON2_ITERATIONS',
    group: 'Registration and passwords',
    kind: integer(2, 100),
    default: '2',
    description: 'Passes over that memory.',
  }),
  defaulted({
    name: 'ARGON2_PARALLELISM',
    group: 'Registration and passwords',
    kind: integer(1, 16),
    default: '1',
    description: 'Lanes of one password hash.',
  }),
] as const;

const limitDefinitions = [
  defaulted({
    name: 'PASSWORD_RESET_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '1d'),
    default: '30m',
    description: 'How long a password reset link works.',
  }),
  defaulted({
    name: 'INVITATION_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '90d'),
    default: '7d',
    description: 'How long an invitation can be accepted.',
  }),
  defaulted({
    name: 'HANDOFF_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '5m'),
    default: '60',
    description: 'How long a hand-off code can be exchanged.',
  }),
  defaulted({
    name: 'LOGIN_RATE_LIMIT',
    group: 'Rate limits',
    kind: integer(1, 1_000_000),
    default: '30',
    description: 'Sign-ins and registrations per minute and IP address.',
  }),
  defaulted({
    name: 'RATE_LIMIT_FAIL_MODE',
    group: 'Rate limits',
    kind: choice(['open', 'closed']),
    default: 'open',
    description:
      'What the limits do while Redis is away: `open` counts within each process, `closed` refuses the requests.',
  }),
] as const;

const passkeyDefinitions = [
  defaulted({
    name: 'PASSKEYS_ENABLED',
    group: 'Passkeys',
    kind: boolean,
    default: 'false',
    description: 'Whether people may sign in with passkeys.',
  }),
  optional({
    name: 'WEBAUTHN_RP_ID',
    group: 'Passkeys',
    kind: relyingPartyId,
    default: 'unset',
    description:
      'The domain passkeys belong to: that of each web origin, or a parent of it. Required with passkeys.',
    example: 'example.com',
  }),
  defaulted({
    name: 'WEBAUTHN_RP_NAME',
    group: 'Passkeys',
    kind: text('any text'),
    default: 'Latchkey',
    description: 'The name people see when they create a passkey.',
  }),
  optional({
    name: 'WEBAUTHN_ORIGINS',
    group: 'Passkeys',
    kind: passkeyOriginList,
    default: 'unset',
    description: 'The web and Android origins passkeys may be used from. Required with passkeys.',
    example: 'https://app.example.com',
  }),
] as const;

const mailDefinitions = [
  secret({
    name: 'SMTP_URL',
    group: 'Mail',
    kind: smtpUrl,
    default: 'unset: no mail; outside production a development inbox',
    description:
      'The mail server. Mail is sent when this and `MAIL_FROM` are set. In production the connection must be encrypted: ' +
      '`smtps://`, or `smtp://` with a server that offers STARTTLS. Exempt are servers on this machine, and URLs that end ' +
      'in `?tls=none`. Elsewhere STARTTLS is used where it is offered; `?tls=required` insists on it.',
    example: 'smtp://user:password@smtp.example.com:587',
  }),
  optional({
    name: 'MAIL_FROM',
    group: 'Mail',
    kind: text(
      'an email address, or a name with one: Latchkey <no-reply@example.com>',
      /^(?:[^<>@\s]+@[^<>@\s]+|[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>)$/,
    ),
    default: 'unset',
    description: 'The sender of every mail.',
    example: 'Latchkey <no-reply@example.com>',
  }),
] as const;

export const signInDefinitions = [
  ...passwordDefinitions,
  ...limitDefinitions,
  ...passkeyDefinitions,
  ...mailDefinitions,
] as const;

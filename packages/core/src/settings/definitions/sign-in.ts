import { EMAIL_VERIFICATIONS } from '../email-verification.js';
import { smtpUrl } from '../kinds/connection-kinds.js';
import { domainList, emailList, mailbox } from '../kinds/email-kinds.js';
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
    description: 'Whether users may register themselves.',
  }),
  defaulted({
    name: 'REGISTRATION_APPROVAL',
    group: 'Registration and passwords',
    kind: choice(REGISTRATION_APPROVALS),
    default: 'staff',
    description:
      'How a registration is approved. `staff`: by an administrator. `verified`: by the user, who opens a mailed link and enters a ' +
      'password; requires `SMTP_URL` and `MAIL_FROM`, or `MAIL_BY_APP`, in production. `none`: at once.',
  }),
  defaulted({
    name: 'EMAIL_VERIFICATION',
    group: 'Registration and passwords',
    kind: choice(EMAIL_VERIFICATIONS),
    default: 'offer',
    description:
      'The proof of mailboxes. `offer`: the mail of a registration contains a link, and lists of users show whether it was ' +
      'used. `required`: no user signs in before that, and no registration is approved; requires `SMTP_URL` and `MAIL_FROM`, ' +
      'or `MAIL_BY_APP`, in production. `off`: no link; not possible with `REGISTRATION_APPROVAL=verified`.',
  }),
  optional({
    name: 'REGISTRATION_DOMAINS',
    group: 'Registration and passwords',
    kind: domainList,
    default: 'unset: every domain',
    description:
      'The domains of email addresses that may register; `*.example.com` stands for all domains below example.com. Invitations, ' +
      'staff and machines add users of any domain.',
    example: 'example.com,*.example.com',
  }),
  optional({
    name: 'REGISTRATION_BLOCKED_DOMAINS',
    group: 'Registration and passwords',
    kind: domainList,
    default: 'unset: none',
    description:
      'The domains of email addresses that may not register, in the same form; it wins over `REGISTRATION_DOMAINS`.',
    example: 'mailinator.com,*.mailinator.com',
  }),
  optional({
    name: 'APPROVAL_NOTICE_TO',
    group: 'Registration and passwords',
    kind: emailList,
    default: 'unset: no notices are sent',
    description:
      'Comma-separated addresses that are notified by mail of registrations waiting for approval: how many, and where to ' +
      'look. Each gets at most one mail an hour.',
    example: 'approvals@example.com',
  }),
  defaulted({
    name: 'PASSWORD_MIN_LENGTH',
    group: 'Registration and passwords',
    kind: integer(8, 256),
    default: '8',
    description: 'Minimum length of a new password.',
  }),
  optional({
    name: 'PASSWORD_BLOCKLIST',
    group: 'Registration and passwords',
    kind: boolean,
    default: 'on in production, else off',
    description:
      'Rejects common passwords, the product name and the local part of the email address, also with digits added, and ' +
      'sequences and repetitions. Where it is off outside production, the log reports what it would reject.',
    example: 'true',
  }),
  optional({
    name: 'PASSWORD_BREACH_LIST',
    group: 'Registration and passwords',
    kind: text('the path of a list that latchkey passwords build-list made'),
    default: 'unset: passwords are not compared with data breaches',
    description:
      'List of passwords that are known from data breaches; new passwords must not be on it. The file is made by ' +
      '`latchkey passwords build-list` and read at each check, never as a whole. A missing or damaged list prevents the start.',
    example: '/var/lib/latchkey/breached-passwords.list',
  }),
  defaulted({
    name: 'ARGON2_MEMORY_KIB',
    group: 'Registration and passwords',
    kind: integer(19_456, 1_048_576),
    default: '19456',
    description:
      'Memory of one password hash in KiB. A stored hash is renewed at the next sign-in. Until all are renewed, the cost of ' +
      'unknown emails follows the distribution of stored hashes.',
  }),
  defaulted({
    name: 'ARGON2_ITERATIONS',
    group: 'Registration and passwords',
    kind: integer(2, 100),
    default: '2',
    description: 'Iterations of one password hash.',
  }),
  defaulted({
    name: 'ARGON2_PARALLELISM',
    group: 'Registration and passwords',
    kind: integer(1, 16),
    default: '1',
    description: 'Lanes of one password hash.',
  }),
  optional({
    name: 'HASHING_THREADS',
    group: 'Registration and passwords',
    kind: integer(1, 256),
    default: 'the number of processors',
    description:
      'Threads that hash passwords at most: one starts with the service, the others when passwords wait. One less than there are processors keeps other requests fast while many users sign in, ' +
      'and costs that share of the sign-ins per second.',
    example: '3',
  }),
] as const;

const limitDefinitions = [
  defaulted({
    name: 'PASSWORD_RESET_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '1d'),
    default: '30m',
    description: 'Lifetime of a password reset link.',
  }),
  defaulted({
    name: 'INVITATION_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '90d'),
    default: '7d',
    description: 'Lifetime of an invitation.',
  }),
  defaulted({
    name: 'HANDOFF_TTL',
    group: 'One-time secrets',
    kind: duration('1s', '5m'),
    default: '60',
    description: 'Lifetime of a hand-off code.',
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
      'Behaviour of the limits while Redis is unavailable: `open` counts per process, `closed` rejects the requests.',
  }),
] as const;

const passkeyDefinitions = [
  defaulted({
    name: 'PASSKEYS_ENABLED',
    group: 'Passkeys',
    kind: boolean,
    default: 'false',
    description: 'Whether users may sign in with passkeys.',
  }),
  optional({
    name: 'WEBAUTHN_RP_ID',
    group: 'Passkeys',
    kind: relyingPartyId,
    default: 'unset',
    description:
      'The domain of the passkeys: that of each web origin, or a parent of it. Required if passkeys are enabled.',
    example: 'example.com',
  }),
  defaulted({
    name: 'WEBAUTHN_RP_NAME',
    group: 'Passkeys',
    kind: text('any text'),
    default: 'Latchkey',
    description: 'The name shown when a user creates a passkey.',
  }),
  optional({
    name: 'WEBAUTHN_ORIGINS',
    group: 'Passkeys',
    kind: passkeyOriginList,
    default: 'unset',
    description: 'The web and Android origins that may use passkeys. Required if passkeys are enabled.',
    example: 'https://app.example.com',
  }),
] as const;

const mailedSignInDefinitions = [
  optional({
    name: 'MAILED_SIGN_IN',
    group: 'Sign-in by mail',
    kind: boolean,
    default: '`on` where `APP_ENV` is `development`, else `off`',
    description:
      'Whether users may sign in by a link or a code that is mailed to them; never staff. Requires `SMTP_URL` and `MAIL_FROM`, or ' +
      '`MAIL_BY_APP`, in production.',
    example: 'on',
  }),
] as const;

const accountDeletionDefinitions = [
  optional({
    name: 'ACCOUNT_DELETION',
    group: 'Account deletion',
    kind: choice(['off', 'self']),
    default: '`self` where `APP_ENV` is `development`, else `off`',
    description:
      'Who deletes accounts. `off`: superadmins, machines and operators only. `self`: users delete their own account, too, and have seven ' +
      'days to undo it; requires `SMTP_URL` and `MAIL_FROM`, or `MAIL_BY_APP`, in production.',
    example: 'self',
  }),
] as const;

const profilePictureDefinitions = [
  optional({
    name: 'PROFILE_PICTURES',
    group: 'Profile pictures',
    kind: boolean,
    default: '`on` where `APP_ENV` is `development`, else `off`',
    description:
      'Whether users may upload a picture, which the database keeps. Everyone who has its address may see it. While it is off, no picture ' +
      'is served.',
    example: 'on',
  }),
] as const;

const mailDefinitions = [
  secret({
    name: 'SMTP_URL',
    group: 'Mail',
    kind: smtpUrl,
    default: 'unset: no mail; outside production a development inbox',
    description:
      'The mail server. Mail is sent if this and `MAIL_FROM` are set. In production the connection must be encrypted: ' +
      '`smtps://`, or `smtp://` with a server that offers STARTTLS. Servers on this machine and URLs that end in ' +
      '`?tls=none` are exempt. Outside production STARTTLS is used if offered; `?tls=required` requires it.',
    example: 'smtp://user:password@smtp.example.com:587',
  }),
  optional({
    name: 'MAIL_FROM',
    group: 'Mail',
    kind: mailbox,
    default: 'unset',
    description: 'The sender of every mail.',
    example: 'Latchkey <no-reply@example.com>',
  }),
  defaulted({
    name: 'MAIL_BY_APP',
    group: 'Mail',
    kind: boolean,
    default: 'false',
    description:
      'Whether the app around the service sends mail, by `mail.send` of `createAuth`. Other processes on the same database, such as ' +
      'commands, then queue mail without `SMTP_URL` and `MAIL_FROM`.',
  }),
  defaulted({
    name: 'SECURITY_NOTICES',
    group: 'Mail',
    kind: boolean,
    default: 'true',
    description:
      'Whether users are notified of a sign-in from a new device, when their role changes, when a second factor is added or removed, when a recovery code is used, when wrong codes are entered, and when an actor acts for them. While they are not, no devices are recorded.',
  }),
] as const;

export const signInDefinitions = [
  ...passwordDefinitions,
  ...limitDefinitions,
  ...passkeyDefinitions,
  ...mailedSignInDefinitions,
  ...accountDeletionDefinitions,
  ...profilePictureDefinitions,
  ...mailDefinitions,
] as const;

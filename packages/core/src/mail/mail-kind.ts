import { accountDeletionMail } from './messages/account-deletion.js';
import { ACCOUNT_NOTICES } from './messages/account-notices.js';
import { actedForMail } from './messages/acted-for.js';
import { approvalWaitingMail } from './messages/approval-waiting.js';
import { emailChangeMail } from './messages/email-change.js';
import { emailChangedMail } from './messages/email-changed.js';
import { emailVerificationMail } from './messages/email-verification.js';
import { invitationMail } from './messages/invitation.js';
import { mailedSignInMail } from './messages/mailed-sign-in.js';
import { newDeviceMail } from './messages/new-device.js';
import { passwordResetMail } from './messages/password-reset.js';
import {
  pendingRegistrationMail,
  registrationApprovedMail,
  registrationRejectedMail,
} from './messages/registration.js';
import { roleChangedMail } from './messages/role-changed.js';
import { webhookDisabledMail } from './messages/webhook-disabled.js';

/**
 * Every kind of mail: types, the worker's claims, filters and the names of the command line derive from this list. Mail
 * of a kind that is not listed does not compile where it is queued. A kind with `completedBy` needs a source.
 */
export const MAILS = [
  pendingRegistrationMail,
  registrationApprovedMail,
  registrationRejectedMail,
  ...ACCOUNT_NOTICES,
  newDeviceMail,
  actedForMail,
  roleChangedMail,
  invitationMail,
  passwordResetMail,
  mailedSignInMail,
  emailVerificationMail,
  emailChangeMail,
  emailChangedMail,
  accountDeletionMail,
  approvalWaitingMail,
  webhookDisabledMail,
] as const;

type Mail = (typeof MAILS)[number];
type LateMail = Extract<Mail, { completedBy: string }>;

/** The content of the outbox for each kind. Never a secret: rows are kept after the mail has been sent. */
export type MailPayloads = { [M in Mail as M['kind']]: Parameters<M['compose']>[0] };

/** The values that complete mail at the moment it is sent. */
export type MailCompletions = { [M in LateMail as M['kind']]: Parameters<M['compose']>[2] };

/** The kind of a mail; `invitation`, `password_reset`, `mailed_sign_in`, `email_verification` and `account_deletion` contain a one-time link. */
export type MailKind = Mail['kind'];

/** The kinds whose text is completed when the mail is sent: by a one-time link, a code, or a count. */
export type LateMailKind = LateMail['kind'];

/** The kinds of mail that the service sends. */
export const MAIL_KINDS = MAILS.map(({ kind }) => kind);

/** A mail to be queued. */
export type OutboxEntry = {
  [K in MailKind]: { kind: K; recipient: string; payload: MailPayloads[K] };
}[MailKind];

/** A mail as the worker claimed it. */
export type QueuedMail<K extends MailKind = MailKind> = {
  [P in K]: {
    id: string;
    kind: P;
    recipient: string;
    payload: MailPayloads[P];
    /** The language of the recipient's account; null without an account, or if they have chosen none. */
    locale: string | null;
    /** Number of the attempt, from 1. It identifies the claim: results of an older claim are not recorded. */
    attempts: number;
    createdAt: Date;
  };
}[K];

/** What the outbox keeps of each kind of mail. Never a secret: rows stay after the mail has left. */
export interface MailPayloads {
  /** Empty: the mail names nobody. */
  pending_registration: Record<string, never>;
  /** The row that its link belongs to. */
  email_verification: { verificationId: string };
  /** Empty, too: the mailbox of a registration is not proved. */
  registration_approved: { isActive: boolean };
  registration_rejected: Record<string, never>;
  password_changed: { fullName: string | null };
  passkey_added: { fullName: string | null; passkeyName: string };
  passkey_removed: { fullName: string | null; passkeyName: string };
  invitation: {
    invitationId: string;
    companyId: string;
    companyName: string | null;
    /** As the inviter typed it. Mails that a former version queued lack it, and the role. */
    inviterName?: string | null;
    role?: string;
  };
  /** How many wait is counted when it is sent. */
  approval_waiting: Record<string, never>;
  /** Null: nobody has the address. Such mail is queued all the same, so that asking for it tells nothing. */
  password_reset: { userId: string | null; fullName: string | null };
}

/**
 * What a mail is about; `invitation`, `password_reset` and `email_verification` carry a one-time link.
 * @example
 * ```ts
 * const kind: MailKind = 'password_reset';
 * const { email } = await kit.user();
 * await kit.auth.passwordReset.request({ email });
 * (await kit.mail.waitFor(email, kind)).to === email; // → true
 * ```
 */
export type MailKind = keyof MailPayloads;

/** The kinds that are complete when they are queued. */
export const PLAIN_MAIL_KINDS = [
  'pending_registration',
  'registration_approved',
  'registration_rejected',
  'password_changed',
  'passkey_added',
  'passkey_removed',
] as const satisfies readonly MailKind[];

/** The kinds whose text is completed when the mail is sent: by a one-time link, or by a count. */
export const LATE_MAIL_KINDS = [
  'invitation',
  'password_reset',
  'email_verification',
  'approval_waiting',
] as const satisfies readonly MailKind[];

/**
 * The kinds of mail that the service sends.
 * @example
 * ```ts
 * MAIL_KINDS.includes('password_reset'); // → true
 * ```
 */
export const MAIL_KINDS = [...PLAIN_MAIL_KINDS, ...LATE_MAIL_KINDS] as const;

export type LateMailKind = (typeof LATE_MAIL_KINDS)[number];

/** A mail as its cause queues it. */
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
    /** Which attempt this is, from 1. It names the claim: results of an older claim are not recorded. */
    attempts: number;
    createdAt: Date;
  };
}[K];

import type { JSX } from 'preact';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { webhookMessages as webhooks } from '../../../messages/en/console/webhooks.js';
import { Picture } from '../../ui/picture.js';
import { initialsOf, nameOf } from '../format.js';
import type { AuditEntry, Role, User, Webhook } from '../types.js';

/** A short state, as text and, beside it, as a colour. */
export const Pill = ({
  tone,
  text,
}: {
  tone: 'good' | 'warn' | 'bad' | 'calm' | 'accent';
  text: string;
}): JSX.Element => <span class={`pill ${tone}`}>{text}</span>;

const APPROVAL_TONES = { PENDING: 'warn', APPROVED: 'good', REJECTED: 'bad' } as const;

/** The state of an account: erased, waiting, rejected, inactive or active. */
export function StatusPill({
  user,
}: {
  user: Pick<User, 'approvalStatus' | 'isActive'> & { erasedAt?: string | undefined };
}): JSX.Element {
  if (user.erasedAt !== undefined) return <Pill tone="calm" text={names.activity.erased} />;
  if (user.approvalStatus !== 'APPROVED') {
    return <Pill tone={APPROVAL_TONES[user.approvalStatus]} text={names.approval[user.approvalStatus]} />;
  }
  return user.isActive ? (
    <Pill tone="good" text={names.activity.active} />
  ) : (
    <Pill tone="calm" text={names.activity.inactive} />
  );
}

export const RolePill = ({ role }: { role: Role }): JSX.Element | null =>
  role === 'NONE' ? null : <Pill tone="accent" text={names.role[role]} />;

const OUTCOME_TONES = { success: 'good', failure: 'warn', denied: 'warn' } as const;

export const OutcomePill = ({ outcome }: Pick<AuditEntry, 'outcome'>): JSX.Element => (
  <Pill tone={OUTCOME_TONES[outcome]} text={names.outcome[outcome]} />
);

export function WebhookPill({ webhook }: { webhook: Webhook }): JSX.Element {
  if (!webhook.isActive) return <Pill tone="bad" text={webhooks.states.disabled} />;
  return webhook.failingSince === null ? (
    <Pill tone="good" text={webhooks.states.active} />
  ) : (
    <Pill tone="warn" text={webhooks.states.failing} />
  );
}

/** How many tints the pictures of users have. */
const TINTS = 6;

/** The picture of a user, or the initials on a tint of their own. */
export function Avatar({
  user,
  size,
}: {
  user: { fullName?: string | null; email: string; profilePictureUrl?: string | undefined };
  size?: 'large';
}): JSX.Element {
  const tint =
    Array.from(user.email, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0) % TINTS;
  return (
    <span class={`face tint-${tint} ${size ?? ''}`} aria-hidden="true">
      <Picture url={user.profilePictureUrl}>{initialsOf(nameOf(user))}</Picture>
    </span>
  );
}

import { approvalMessages as messages } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import { confirmedForAll } from './bulk.js';
import { nameOf, numberText } from './format.js';
import type { Answers } from './overlay-store.js';
import { confirmed } from './perform.js';
import type { User } from './types.js';
import { REASON, statedIn } from './user-actions.js';
import { readWaitingCount } from './waiting.js';

type Applicant = Pick<User, 'id' | 'email' | 'fullName'>;

const decide = (user: Applicant, approvalStatus: 'APPROVED' | 'REJECTED', answers: Answers) =>
  client.request('PATCH', '/internal/users/{id}', {
    path: { id: user.id },
    // An approved user who stays inactive could not sign in.
    body: {
      approvalStatus,
      ...(approvalStatus === 'APPROVED' && { isActive: true }),
      ...statedIn(answers),
    },
  });

/** Approves registrations, one after the other, after a confirmation. @returns whether any was approved. */
export async function approveAll(users: readonly Applicant[]): Promise<boolean> {
  const isChanged = await confirmedForAll({
    question: {
      title: messages.approveAllTitle(numberText(users.length)),
      text: messages.approveAllText,
      confirm: messages.approve,
    },
    items: users,
    nameOf,
    request: (user, answers) => decide(user, 'APPROVED', answers),
    done: messages.approvedAll,
  });
  if (isChanged) void readWaitingCount();
  return isChanged;
}

/** Rejects registrations, one after the other, after a confirmation. @returns whether any was rejected. */
export async function rejectAll(users: readonly Applicant[]): Promise<boolean> {
  const isChanged = await confirmedForAll({
    question: {
      title: messages.rejectAllTitle(numberText(users.length)),
      text: messages.rejectAllText,
      confirm: messages.reject,
      isDanger: true,
      fields: [REASON],
    },
    items: users,
    nameOf,
    request: (user, answers) => decide(user, 'REJECTED', answers),
    done: messages.rejectedAll,
  });
  if (isChanged) void readWaitingCount();
  return isChanged;
}

/** Approves a registration after a confirmation. @returns whether it was approved. */
export async function approve(user: Applicant): Promise<boolean> {
  const who = nameOf(user);
  const isDone = await confirmed(
    { title: messages.approveTitle(who), text: messages.approveText(user.email), confirm: messages.approve },
    (answers) => decide(user, 'APPROVED', answers),
    messages.approved(who),
  );
  if (isDone) void readWaitingCount();
  return isDone;
}

/** Rejects a registration after a confirmation. @returns whether it was rejected. */
export async function reject(user: Applicant): Promise<boolean> {
  const who = nameOf(user);
  const isDone = await confirmed(
    {
      title: messages.rejectTitle(who),
      text: messages.rejectText(user.email),
      confirm: messages.reject,
      isDanger: true,
      fields: [REASON],
    },
    (answers) => decide(user, 'REJECTED', answers),
    messages.rejected(who),
  );
  if (isDone) void readWaitingCount();
  return isDone;
}

import type { MessageFacts } from '../message-facts.js';

/** The number of registrations that wait. */
export interface Waiting extends MessageFacts {
  waiting: number;
}

const waits = ({ product, waiting }: Waiting) =>
  `${waiting === 1 ? '1 registration waits' : `${waiting} registrations wait`} for approval on ${product}`;

/** Texts of mails to operators. */
export const operatorTexts = {
  /** Texts of mails to those who run the service. */
  approvalWaiting: {
    subject: waits,
    reason: 'this address is configured to be notified when registrations wait (APPROVAL_NOTICE_TO)',
    waits: (facts: Waiting) => `${waits(facts)}.`,
    howToDecide:
      'See who is waiting by the command "latchkey users list --status PENDING" or the route GET /internal/users?approvalStatus=PENDING; "latchkey users approve" and "latchkey users reject" decide.',
    nextMail: 'The next email of this kind comes in an hour at the earliest.',
  },
  testMail: {
    subject: ({ product }: MessageFacts) => `Test mail of ${product}`,
    reason: 'an operator tests the delivery of mail',
    reached: ({ product, when }: MessageFacts) =>
      `Mail from ${product} reaches you. An operator sent this test ${when}.`,
    nothingToDo: 'There is nothing to do.',
  },
  webhookDisabled: {
    subject: ({ product }: MessageFacts) => `A webhook of ${product} was disabled`,
    reason: 'you created this webhook or administer its company',
    gone: ({ product, host }: MessageFacts & { host: string }) =>
      `${product} no longer sends webhooks to ${host}: the receiver responded that the address does not exist any more (status 410).`,
    failing: ({ product, host }: MessageFacts & { host: string }) =>
      `${product} no longer sends webhooks to ${host}: every delivery has failed for five days.`,
    howToActivate:
      'Activate the webhook again when its receiver works. Messages of the meantime can be sent by a replay, up to 30 days back.',
  },
};

import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';
import type { MessageFacts } from './message-facts.js';

type Write<Payload> = (
  context: MessageContext,
  facts: MessageFacts,
  payload: Payload,
) => { subject: string; blocks: Block[] };

/**
 * A mail about a registration. It contains no name and nothing else that its sender typed: a registration does not prove the
 * ownership of the mailbox.
 */
const aboutRegistration = <Kind extends string, Payload>(kind: Kind, write: Write<Payload>) => ({
  kind,
  compose(payload: Payload, context: MessageContext): MailContent {
    const { subject, blocks } = write(context, factsOf(context), payload);
    return layOut({ subject, blocks, name: null, reason: context.texts.registration.reason }, context);
  },
});

export const pendingRegistrationMail = aboutRegistration(
  'pending_registration',
  ({ texts: { pendingRegistration: texts } }, facts, _payload: Record<string, never>) => ({
    subject: texts.subject(facts),
    blocks: [texts.thanks(facts), texts.wait, texts.notYou],
  }),
);

export const registrationApprovedMail = aboutRegistration(
  'registration_approved',
  ({ texts: { registrationDecision: texts }, brand }, facts, { isActive }: { isActive: boolean }) => ({
    subject: texts.approvedSubject(facts),
    blocks: [
      texts.approved(facts),
      isActive ? { label: texts.signIn, url: brand.signInUrl } : texts.inactive,
      texts.notYou,
    ],
  }),
);

/** Contains no reason, because the decision has none. */
export const registrationRejectedMail = aboutRegistration(
  'registration_rejected',
  ({ texts: { registrationDecision: texts } }, facts, _payload: Record<string, never>) => ({
    subject: texts.rejectedSubject(facts),
    blocks: [texts.rejected(facts), texts.mistake, texts.notYou],
  }),
);

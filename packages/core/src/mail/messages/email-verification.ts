import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import type { Block } from './block.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';

/**
 * The mail of a registration names the row that stores the digests of its secrets. A mail that was requested again names
 * the user; null if no user has the address: such mail is queued all the same, so that the response reveals nothing.
 */
export type EmailVerificationPayload = { verificationId: string } | { userId: string | null };

/** The links of the mail, by the state of the user when it is sent. */
export interface VerificationLinks extends OneTimeLink {
  /** True if the recipient may sign in after confirming, and may not before. */
  enables: boolean;
  /** True if the page of the first link asks for the password. */
  needsPassword: boolean;
  /** True if an administrator has still to decide. */
  awaitsApproval: boolean;
  /** Deletes the registration; missing once it was approved. */
  rejectionUrl?: string;
}

/** Contains no name: the address may belong to another person. */
export const emailVerificationMail = {
  kind: 'email_verification',
  completedBy: 'link',
  compose(
    _payload: EmailVerificationPayload,
    context: MessageContext,
    links: VerificationLinks,
  ): MailContent {
    const { emailVerification: texts, registration, times } = context.texts;
    const { needsPassword } = links;
    const facts = factsOf(context);
    const parts = {
      subject: needsPassword ? texts.confirmRegistration(facts) : texts.confirmAddress(facts),
      name: null,
      reason: registration.reason,
      blocks: [
        `${texts.registered(facts)} ${request(links, texts)}`,
        { label: needsPassword ? texts.registrationButton : texts.addressButton, url: links.url },
        ...(needsPassword ? [texts.password] : []),
        texts.expiry({ lifetime: times.lifetime(links.lifetime) }),
        ...waysOut(links, texts),
      ],
    };
    return layOut(parts, context);
  },
} as const;

function request(
  { enables, awaitsApproval }: VerificationLinks,
  texts: MailTexts['emailVerification'],
): string {
  if (enables) return texts.thenSignIn;
  return awaitsApproval ? texts.awaitsApproval : texts.isYours;
}

/** Returns the advice for a recipient who did not register. */
function waysOut({ rejectionUrl }: VerificationLinks, texts: MailTexts['emailVerification']): Block[] {
  if (rejectionUrl === undefined) return [texts.takeOver];
  return [texts.mayDelete, { label: texts.wasNotMe, url: rejectionUrl, isSecondary: true }];
}

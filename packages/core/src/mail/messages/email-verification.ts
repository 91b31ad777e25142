import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import type { Block } from './block.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime } from './moment.js';

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
    const { name } = context.brand;
    const { needsPassword } = links;
    const parts = {
      subject: needsPassword
        ? `Confirm your registration with ${name}`
        : `Confirm your email address for ${name}`,
      name: null,
      reason: 'this address was used for a registration',
      blocks: [
        `Someone, probably you, registered with ${name} using this address. ${request(links)}`,
        { label: needsPassword ? 'Confirm the registration' : 'Confirm this address', url: links.url },
        ...(needsPassword
          ? [
              'You are asked for the password chosen at registration. If you do not know it, type a new one: it takes its place.',
            ]
          : []),
        `This link expires in ${lifetime(links.lifetime)} and can be used once.`,
        ...waysOut(links),
      ],
    };
    return layOut(parts, context);
  },
} as const;

function request({ enables, awaitsApproval }: VerificationLinks): string {
  if (enables) return 'Confirm that it is yours, and you can sign in.';
  if (!awaitsApproval) return 'Confirm that it is yours.';
  return 'Confirm that it is yours. An administrator looks at each registration, and yours is waiting for approval.';
}

/** Returns the advice for a recipient who did not register. */
function waysOut({ rejectionUrl }: VerificationLinks): Block[] {
  if (rejectionUrl === undefined) {
    return [
      'If you did not register, do not confirm. Someone used your address: to take the account over, reset its password on the sign-in page.',
    ];
  }
  return [
    'If you did not register, do not confirm. You can delete the registration:',
    { label: 'This was not me', url: rejectionUrl, isSecondary: true },
  ];
}

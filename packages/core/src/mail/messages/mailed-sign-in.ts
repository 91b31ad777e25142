import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface MailedSignInPayload {
  /** Null if no user has the address. Such mail is queued all the same, so that the response reveals nothing. */
  userId: string | null;
  fullName: string | null;
  /** The challenge of the client that asked: neither link nor code is worth anything without its verifier. */
  challenge: string;
}

/** A link, and the code that can be typed in its place. */
export interface MailedCode extends OneTimeLink {
  /** Such as `K7QM-2XWD`. */
  code: string;
}

export const mailedSignInMail = {
  kind: 'mailed_sign_in',
  completedBy: 'link and code',
  compose(
    payload: MailedSignInPayload,
    context: MessageContext,
    { url, code, lifetime }: MailedCode,
  ): MailContent {
    const { mailedSignIn: texts, times } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: texts.reason,
      blocks: [
        texts.requested(facts),
        { label: texts.signIn, url },
        texts.orType({ code }),
        texts.expiry({ lifetime: times.lifetime(lifetime) }),
        texts.unexpected,
      ],
    };
    return layOut(parts, context);
  },
} as const;

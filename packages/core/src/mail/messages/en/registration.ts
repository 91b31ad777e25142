import type { MessageFacts } from '../message-facts.js';

/** Texts of mails about a registration. */
export const registrationTexts = {
  /** Texts that several mails about a registration have. */
  registration: {
    reason: 'this address was used for a registration',
  },
  emailVerification: {
    confirmRegistration: ({ product }: MessageFacts) => `Confirm your registration with ${product}`,
    confirmAddress: ({ product }: MessageFacts) => `Confirm your email address for ${product}`,
    registered: ({ product }: MessageFacts) =>
      `Someone, probably you, registered with ${product} using this address.`,
    thenSignIn: 'Confirm that it is yours, and you can sign in.',
    isYours: 'Confirm that it is yours.',
    awaitsApproval:
      'Confirm that it is yours. An administrator looks at each registration, and yours is waiting for approval.',
    registrationButton: 'Confirm the registration',
    addressButton: 'Confirm this address',
    password:
      'You are asked for the password chosen at registration. If you do not know it, type a new one: it takes its place.',
    expiry: ({ lifetime }: { lifetime: string }) => `This link expires in ${lifetime} and can be used once.`,
    takeOver:
      'If you did not register, do not confirm. Someone used your address: to take the account over, reset its password on the sign-in page.',
    mayDelete: 'If you did not register, do not confirm. You can delete the registration:',
    wasNotMe: 'This was not me',
  },
  pendingRegistration: {
    subject: ({ product }: MessageFacts) => `Your registration with ${product} is waiting for approval`,
    thanks: ({ product }: MessageFacts) =>
      `Thank you for registering with ${product}. An administrator looks at each registration before the account can be used, and yours is waiting for approval.`,
    wait: 'You can sign in once it has been approved. There is nothing you need to do until then.',
    notYou: 'If you did not register, you can ignore this mail.',
  },
  registrationDecision: {
    approvedSubject: ({ product }: MessageFacts) => `Your registration with ${product} was approved`,
    approved: ({ product }: MessageFacts) => `Your registration with ${product} was approved. Welcome!`,
    signIn: 'Sign in',
    inactive: 'Your account is not active yet. You can sign in as soon as an administrator has activated it.',
    rejectedSubject: ({ product }: MessageFacts) => `Your registration with ${product} was not approved`,
    rejected: ({ product }: MessageFacts) =>
      `Thank you for your interest in ${product}. Unfortunately, your registration was not approved, so you cannot sign in with it.`,
    mistake:
      'If you think that this is a mistake, please get in touch with the people you expected to work with.',
    notYou: "If you didn't register, you can safely ignore it.",
  },
};

import type { MessageFacts } from '../message-facts.js';

/** A lifetime in words. */
export interface Lifetime {
  lifetime: string;
}

/** Texts of mails whose link resets a password, signs in, changes an address or keeps an account. */
export const linkTexts = {
  passwordReset: {
    subject: ({ product }: MessageFacts) => `Reset your ${product} password`,
    reason: 'a password reset was requested for the account with this address',
    requested: ({ product }: MessageFacts) =>
      `Someone, probably you, asked to reset the password of your ${product} account.`,
    choose: 'Choose a new password',
    expiry: ({ lifetime }: Lifetime) =>
      `This link expires in ${lifetime} and can be used once. A reset signs you out everywhere and removes any passkeys.`,
    unexpected:
      "If you weren't expecting this email, you can safely ignore it: your password stays as it is.",
  },
  mailedSignIn: {
    subject: ({ product }: MessageFacts) => `Sign in to ${product}`,
    reason: 'someone asked to sign in to the account with this address',
    requested: ({ product }: MessageFacts) =>
      `Someone, probably you, asked to sign in to your ${product} account by email.`,
    signIn: 'Sign in',
    orType: ({ code }: { code: string }) =>
      `Or type this code where you asked for it: ${code}. Give it to no one: it signs in the person who asked for it.`,
    expiry: ({ lifetime }: Lifetime) => `Link and code expire in ${lifetime} and can be used once.`,
    unexpected: "If you weren't expecting this email, you can safely ignore it: no one is signed in.",
  },
  emailChange: {
    subject: ({ product }: MessageFacts) => `Confirm your new email address for ${product}`,
    reason: 'someone asked to use this address for an account',
    requested: ({ product }: MessageFacts) =>
      `Someone, probably you, asked to use this address for their ${product} account from now on. Confirm that it is yours.`,
    confirm: 'Use this address',
    expiry: ({ lifetime }: Lifetime) =>
      `This link expires in ${lifetime} and can be used once. It signs out all other devices.`,
    unexpected: "If you weren't expecting this email, you can safely ignore it: nothing changes.",
  },
  emailChanged: {
    subject: ({ product }: MessageFacts) => `The email address of your ${product} account was changed`,
    owner: ({ product, when }: MessageFacts) =>
      `The email address of your ${product} account was changed ${when}. It no longer uses this address.`,
    administrator: ({ product, when }: MessageFacts) =>
      `An administrator changed the email address of your ${product} account ${when}. It no longer uses this address.`,
    undo: ({ product, when }: MessageFacts) =>
      `A change of the email address of a ${product} account was undone ${when}. It no longer uses this address.`,
    undoneByOwner: 'The owner of the former address asked for that. There is nothing to do.',
    unexpected: 'If you did not expect this, contact your administrator.',
    wasNotYou:
      'If it was not you, someone else has access to your account. Undo the change: your address is restored, everyone is signed out, and you choose a new password.',
    undoChange: 'Undo the change',
    expiry: ({ lifetime }: Lifetime) => `This link expires in ${lifetime} and can be used once.`,
  },
  accountDeletion: {
    subject: ({ product }: MessageFacts) => `Your ${product} account will be deleted`,
    reason: 'the deletion of the account with this address was requested',
    requested: ({ product, deleteAt }: MessageFacts & { deleteAt: string }) =>
      `Someone, probably you, asked to delete your ${product} account. It will be deleted ${deleteAt}, with everything that it contains.`,
    until: 'Until then no one can sign in to it, and you can keep it with this link.',
    keep: 'Keep my account',
    wasNotYou:
      'If it was not you, someone else has access to your account: keep it, then change its password. If you want it to be deleted, there is nothing to do.',
  },
};

import type { MessageFacts } from '../message-facts.js';

/** A second factor or passkey. */
export interface Named extends MessageFacts {
  /** Null if the name could be mistaken for other content. */
  name: string | null;
}

const factorOf = (name: string | null) => (name === null ? 'A second factor' : `The second factor "${name}"`);
const keyOf = (name: string | null) => (name === null ? 'An API key' : `The API key "${name}"`);
const passkeyOf = (name: string | null) => (name === null ? 'A passkey' : `The passkey "${name}"`);

const identityOf = (name: string | null) =>
  name === null ? 'An account at another service' : `Your account at ${name}`;

const browserOf = (name: string | null) => (name === null ? 'a browser' : `the browser "${name}"`);

/** Texts of notices about an account. */
export const noticeTexts = {
  /** Texts that several notices about an account have. */
  notice: {
    reason: 'it concerns the security of your account',
    wasYou: 'If this was you, there is nothing to do.',
    wasNotYou:
      'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page.',
  },
  passwordChanged: {
    subject: ({ product }: MessageFacts) => `Your ${product} password was changed`,
    changed: ({ product, when }: MessageFacts) =>
      `The password of your ${product} account was changed ${when}.`,
  },
  passkey: {
    addedSubject: ({ product }: MessageFacts) => `A passkey was added to your ${product} account`,
    added: ({ product, when, name }: Named) =>
      `${passkeyOf(name)} was added to your ${product} account ${when}. It can be used to sign in without your password.`,
    addedNotByYou:
      'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page: it removes every passkey.',
    removedSubject: ({ product }: MessageFacts) => `A passkey was removed from your ${product} account`,
    removed: ({ product, when, name }: Named) =>
      `${passkeyOf(name)} was removed from your ${product} account ${when}. It can no longer be used to sign in.`,
  },
  identity: {
    linkedSubject: ({ product }: MessageFacts) => `A new way to sign in to your ${product} account`,
    linked: ({ product, when, name }: Named) =>
      `${identityOf(name)} was linked to your ${product} account ${when}. It can be used to sign in without your password.`,
    linkedNotByYou:
      'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page: it removes accounts that others have linked.',
    unlinkedSubject: ({ product }: MessageFacts) => `A way to sign in to your ${product} account was removed`,
    unlinked: ({ product, when, name }: Named) =>
      `${identityOf(name)} was unlinked from your ${product} account ${when}. It can no longer be used to sign in.`,
    reclaimedSubject: ({ product }: MessageFacts) => `Your ${product} account is yours again`,
    reclaimed: ({ product, when, name }: Named) =>
      `${name ?? 'Another service'} proved ${when} that this mailbox is yours. The ${product} account with its address was registered without that proof, so everything that was set up with it was removed: the password, passkeys, second factors, API keys and sessions. You can sign in with your account at the service, or choose a password by a reset on the sign-in page.`,
  },
  factor: {
    addedSubject: ({ product }: MessageFacts) => `A second factor was added to your ${product} account`,
    added: ({ product, when, name }: Named) =>
      `${factorOf(name)} was added to your ${product} account ${when}. Signing in with your password now also needs a code from it.`,
    removedSubject: ({ product }: MessageFacts) => `A second factor was removed from your ${product} account`,
    removed: ({ product, when, name }: Named) =>
      `${factorOf(name)} was removed from your ${product} account ${when}. Its codes no longer work.`,
    resetSubject: ({ product }: MessageFacts) => `The second factors of your ${product} account were removed`,
    reset: ({ product, when }: MessageFacts) =>
      `An administrator removed every second factor, recovery code and passkey of your ${product} account ${when}, and signed you out everywhere.`,
    setUpAgain: 'Sign in with your password and set up a new second factor.',
    notAskedFor:
      'If you did not ask for this, contact your administrator at once, and request a password reset on the sign-in page.',
  },
  trustedDevice: {
    subject: ({ product }: MessageFacts) => `A device is trusted by your ${product} account`,
    added: ({ product, when, name, days }: Named & { days: number }) =>
      `You chose ${when} that ${browserOf(name)} is not asked for your second factor when you sign in to ${product}, for ${days === 1 ? 'one day' : `${days} days`}.`,
    wasNotYou:
      'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page: it removes every trusted device.',
  },
  apiKey: {
    createdSubject: ({ product }: MessageFacts) => `An API key was made with your ${product} account`,
    created: ({ product, when, name }: Named) =>
      `${keyOf(name)} was made for your ${product} account ${when}. A program that has it acts with your rights until you revoke it or it expires.`,
    createdForCompany: ({ product, when, name }: Named) =>
      `${keyOf(name)} of a company was made with your ${product} account ${when}. It belongs to the company and works until an administrator of the company revokes it or it expires.`,
    createdNotByYou:
      'If it was not you, someone else may have access to your account. Revoke the key, contact your administrator at once, and request a password reset on the sign-in page: it revokes all your personal API keys.',
    expiringSubject: ({ product }: MessageFacts) => `An API key at ${product} expires in 7 days`,
    expiring: ({ product, name, hint }: Named & { hint: string }) =>
      `${keyOf(name)} at ${product}, which ends with ${hint}, expires in 7 days. Programs that use it are refused from then on.`,
    replaceIt: 'If a program still needs it, make a new key and give it to the program before that.',
    noLongerNeeded: 'If no program needs it any more, there is nothing to do.',
  },
  recoveryCode: {
    subject: ({ product }: MessageFacts) => `A recovery code of your ${product} account was used`,
    used: ({ product, when }: MessageFacts) =>
      `A recovery code of your ${product} account was used in place of a second factor ${when}.`,
    left(count: number): string {
      if (count === 0) return 'It was the last one.';
      return count === 1 ? 'One code is left.' : `${count} codes are left.`;
    },
    wasYou:
      'If this was you, create new recovery codes when few are left, and add a new second factor if you lost the old one.',
    wasNotYou:
      'If it was not you, someone else knows your password and your recovery codes. Contact your administrator at once, and request a password reset on the sign-in page.',
  },
  wrongCodes: {
    subject: ({ product }: MessageFacts) => `Wrong codes were entered for your ${product} account`,
    entered: ({ product, when }: MessageFacts) =>
      `Wrong codes of an authenticator app were entered for your ${product} account, the last one ${when}. Only someone who knows your password, or uses a device on which you are signed in, gets that far.`,
    count: (count: number) => `${count} in a row were wrong so far.`,
    wasYou:
      'If this was you, check the time of your device, or use a recovery code. After 100 wrong codes in a row no code is accepted until you reset the password or sign in in another way.',
    wasNotYou:
      'If it was not you, change your password now, or request a password reset on the sign-in page: it ends all sessions. Then contact your administrator.',
  },
  newDevice: {
    subject: ({ product }: MessageFacts) => `New sign-in to your ${product} account`,
    /** The description of the device is empty, or stands in parentheses. */
    used: ({ product, when, description }: MessageFacts & { description: string }) =>
      `Your ${product} account was used ${when} from a device that had not signed in to it before${description}.`,
    usedBySeveral: ({ product }: MessageFacts) =>
      `Your ${product} account was used from devices that had not signed in to it before:`,
    listed: ({ device, when }: { device: string; when: string }) => `${device}, ${when}`,
    unknown: 'an unknown device',
    address: (ipAddress: string) => `address ${ipAddress}`,
    wasNotYou:
      'If it was not you, request a password reset on the sign-in page: it ends all sessions. Then contact your administrator.',
  },
  actedFor: {
    subject: ({ product }: MessageFacts) => `Someone is acting for you at ${product}`,
    opened: ({ product, when, actor, lifetime }: MessageFacts & { actor: string; lifetime: string }) =>
      `Your ${product} account was opened ${when} for ${actor}, who can use it in your name for at most ${lifetime}. They cannot change your password, your email address or how you sign in.`,
    staff: 'a member of staff',
    named: (name: string) => `"${name}"`,
    unnamed: 'someone who supports you',
    endIt: 'The list of your sessions shows who it is and why. End the session there if you do not agree.',
    unexpected: 'If you did not expect this, contact your administrator.',
  },
  roleChanged: {
    subject: ({ product }: MessageFacts) => `Your role at ${product} was changed`,
    reason: 'it concerns the rights of your account',
    changed: ({ product, when }: MessageFacts) => `The role of your ${product} account was changed ${when}.`,
    taken: (role: string) => `You no longer have the role "${role}".`,
    given: (role: string) => `Your role is now "${role}".`,
    replaced: ({ from, to }: { from: string; to: string }) =>
      `Your role is now "${to}"; before, it was "${from}".`,
    staysSignedIn: 'You stay signed in. Contact your administrator if you did not expect this.',
  },
};

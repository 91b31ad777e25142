import { acceptInvitationScriptMessages as invitation } from '../../messages/en/accept-invitation.js';
import { companyMessages as messages } from '../../messages/en/company.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';

/** Returns the text that a failure has on this page alone. */
function ownTextOf(failure: Failure): string | undefined {
  const texts: Partial<Record<string, string>> = messages.failures;
  return ('reason' in failure ? texts[failure.reason] : undefined) ?? texts[failure.code];
}

/** Returns the message for a failure on this page. */
export const companyFailureText = (failure: Failure): string => ownTextOf(failure) ?? failureText(failure);

/** Returns a failure as what a form shows, if it has a text of its own on this page. */
export function explain(failure: Failure): { text: string } | undefined {
  const text = ownTextOf(failure);
  return text === undefined ? undefined : { text };
}

/** Returns a role in words: the name of its definition, if it has one. */
export const roleText = (role: string, defined: readonly { key: string; name: string }[] = []): string =>
  defined.find(({ key }) => key === role)?.name ?? invitation.role(role);

/** Returns the last part of an id, which tells records apart. */
export const shortId = (id: string): string => id.slice(-8);

/** Returns the name of a user, or else the address. */
export const nameOf = ({ fullName, email }: { fullName: string | null; email: string }): string =>
  fullName ?? email;

/** Returns the keys of a field in which they are typed. */
export const keysIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((key) => key !== '')),
];

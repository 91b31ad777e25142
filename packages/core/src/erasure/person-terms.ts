import type { User } from '../users/user.js';

/** A shorter text would also occur by chance. */
const SHORTEST = 4;

/** Returns the texts that identify a person, as JSON spells them. */
export function personTerms(user: User, emails: readonly string[]): string[] {
  const { fullName, phoneNumber, profilePictureUrl, legacyIds } = user;
  const texts = [...emails, fullName, phoneNumber, profilePictureUrl, ...Object.values(legacyIds)];
  return texts
    .filter((text) => text !== null && text.length >= SHORTEST)
    .map((text) => JSON.stringify(text).slice(1, -1));
}

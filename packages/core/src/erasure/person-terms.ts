import type { User } from '../users/user.js';

/** A shorter text would also occur by chance. */
const SHORTEST = 4;

/** Returns the texts that identify a person, as JSON spells them. */
export function personTerms(user: User, emails: readonly string[]): string[] {
  const { fullName, phoneNumber, profilePictureUrl, legacyIds } = user;
  const texts = [...emails, fullName, phoneNumber, profilePictureUrl, ...Object.values(legacyIds)];
  return texts
    .filter((text): text is string => text !== null && text.length >= SHORTEST)
    .flatMap((text) => [...new Set([text, text.toLowerCase(), text.toUpperCase(), titleCase(text)])])
    .map((text) => JSON.stringify(text).slice(1, -1));
}

/** A database whose character type is C folds ASCII letters only, so the usual spellings are given. */
const titleCase = (text: string): string =>
  text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

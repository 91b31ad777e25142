import { isLocale } from '@latchkey/core/internal/kernel/locale';
import { contactInput } from '@latchkey/core/internal/users/user-schema';
import { textOf } from './source-object.js';

const MAX_NAME_LENGTH = 200;
/** Characters that no name may have; those of a line break become a space. */
const UNFIT = /[\p{Cc}\u2028\u2029\s]+/gu;

/** Returns the parts of a name as one, without control characters and doubled spaces. */
export function fullNameOf(parts: readonly (string | undefined)[], notes: string[]): string | undefined {
  const name = parts
    .filter((part) => part !== undefined)
    .join(' ')
    .replace(UNFIT, ' ')
    .trim();
  const kept = firstCharacters(name, MAX_NAME_LENGTH);
  if (kept !== name) notes.push(`The name is longer than ${MAX_NAME_LENGTH} characters and is cut.`);
  return kept || undefined;
}

const MAX_LABEL_LENGTH = 100;

/** Returns the name of an authenticator app; one that is too long is noted and cut. */
export function labelOf(value: unknown, notes: string[]): string | undefined {
  const label = textOf(value);
  const kept = label && firstCharacters(label, MAX_LABEL_LENGTH);
  if (kept !== label) {
    notes.push(`The name of an authenticator app is longer than ${MAX_LABEL_LENGTH} characters and is cut.`);
  }
  return kept;
}

/** Cuts between characters: as everywhere, code points count. */
function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  return Array.from(text).slice(0, most).join('').trim();
}

const pictureInput = contactInput.shape.profilePictureUrl;

/** Returns the address of a picture; any other text, such as the picture itself, is noted and left out. */
export function pictureUrlOf(value: string | undefined, notes: string[]): string | undefined {
  if (value === undefined || pictureInput.safeParse(value).success) return value;
  notes.push('The picture is not an http(s) address of at most 2,048 characters and is left out.');
  return undefined;
}

/** Returns the language of a tag such as `de-AT`; one in which no mail is written is noted and left out. */
export function localeOf(tag: string | undefined, notes: string[]): string | undefined {
  const language = tag?.split(/[-_]/)[0]?.toLowerCase();
  if (language === undefined || isLocale(language)) return language;
  notes.push('The language is none in which mails are written and is left out.');
  return undefined;
}

const MAX_LEGACY_ID_LENGTH = 200;

/** Returns the identifiers that the source states; one that is too long to be stored is noted and left out. */
export function legacyIdsOf(
  ids: Readonly<Record<string, string | undefined>>,
  notes: string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [system, id] of Object.entries(ids)) {
    if (id === undefined) continue;
    if (Array.from(id).length <= MAX_LEGACY_ID_LENGTH) kept[system] = id;
    else
      notes.push(
        `The identifier ${system} is longer than ${MAX_LEGACY_ID_LENGTH} characters and is left out.`,
      );
  }
  return kept;
}

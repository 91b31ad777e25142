import type { TextFile } from './text-files.js';

/** A word that the project does not use, and the field's word for it. */
interface ReplacedWord {
  readonly pattern: RegExp;
  readonly use: string;
}

/** The word list of docs/decisions/0033-the-fields-words.md, as far as a machine can look for it. */
const REPLACED: readonly ReplacedWord[] = [
  { pattern: /\b(told|telling)\b/i, use: 'reported, returned, logged or notified' },
  { pattern: /\btells?\b(?!.*\bapart\b)/i, use: 'reports, returns, says or notifies' },
  // In quotes it is the name of a system account.
  {
    pattern: /(?<!['`])\b(nobody|somebody)\b(?!['`])/i,
    use: 'the caller, a user, any client, or the passive voice',
  },
  { pattern: /\b(whoever|whom|whomever)\b/i, use: 'the caller, a user, any client' },
  { pattern: /\b(stands?|standing|stood)\b(?![ -](in|ins|for|alone)\b)/i, use: 'is, exists, or status' },
  { pattern: /\bmend(s|ed|ing)?\b/i, use: 'fix' },
  { pattern: /\b(is|are|was|were|be|been|being|stays|while|when|if) away\b/i, use: 'unavailable' },
  { pattern: /\b(company|business unit) place\b/i, use: 'membership' },
  { pattern: /\bdoors?\b/i, use: 'variant or mount' },
  { pattern: /\bgates?\b/i, use: 'guard factory, or check' },
  { pattern: /(?<!\bon[ -])\bdemand(s|ed)?\b/i, use: 'guard spec, or requires' },
  { pattern: /\badmitted\b/i, use: 'request auth, or allowed' },
  { pattern: /\b(un)?seal(s|ed|er|ing)?\b/i, use: 'sign, or encrypt where it does' },
  { pattern: /\b(patients?|situation)\b/i, use: 'target, or environment' },
  { pattern: /\b(legs?|tally|tallies)\b/i, use: 'scan, or counts' },
  { pattern: /\bbeginnings?\b/i, use: 'prefix, or start' },
  { pattern: /(?<!window\.|cross-origin-)\b(openers?|enders?)\b/i, use: 'creator, or revoker' },
  { pattern: /\b(desks?|scenes?|wish(es)?|portraits?)\b/i, use: 'client, fixture, input, or details' },
  { pattern: /(?<!Math\.)\bfloors?\b|\brooms?\b|\bthe house\b/i, use: 'layer, module, or capacity' },
  { pattern: /\bpatience\b/i, use: 'timeout' },
  { pattern: /\b(for ever|heeds?|comes? to nothing)\b/i, use: 'indefinitely; reads; has no effect' },
];

/** The record that lists the words, and this file. */
const NAMES_THE_WORDS = /0033-the-fields-words\.md$|\/vocabulary\/word-rules\.ts$|\/vocabulary\.test\.ts$/;

const IS_CODE = /\.(ts|mts|js|mjs)$/;

/** Returns each line that has a replaced word, with the word to use. */
export const replacedWords = (files: readonly TextFile[]): string[] =>
  files.filter(({ path }) => !NAMES_THE_WORDS.test(path)).flatMap(replacedWordsOf);

const replacedWordsOf = ({ path, text }: TextFile): string[] =>
  text.split('\n').flatMap((line, index) => {
    const words = IS_CODE.test(path) ? inSeparateWords(line) : line;
    return REPLACED.flatMap(({ pattern, use }) => {
      const found = pattern.exec(words);
      return found ? [`${path}:${index + 1} "${found[0]}": write ${use}`] : [];
    });
  });

/** `findSessionOpener` as `find Session Opener`, so that names are held to the same words. */
const inSeparateWords = (line: string): string => line.replace(/([a-z0-9])([A-Z])/g, '$1 $2');

const DOC_COMMENT = /\/\*\*(?:[ \t]*\n\s*\*)?[ \t]*(\S[^\n]*)/g;
const FREE_RELATIVE = /^(What|Who|Whom|Whose|Whoever|Whatever|Whether|How|Where|When|Why|Which)\b/;

/** Doc comments, and those that open with a free relative instead of a verb or a noun. */
export interface Openings {
  comments: number;
  /** As `path: first line`. */
  freeRelatives: string[];
}

/** Counts how the doc comments of the code begin. */
export function openingsOf(files: readonly TextFile[]): Openings {
  const openings: Openings = { comments: 0, freeRelatives: [] };
  for (const { path, text } of files.filter((file) => IS_CODE.test(file.path))) {
    for (const [, first = ''] of text.matchAll(DOC_COMMENT)) {
      openings.comments += 1;
      if (FREE_RELATIVE.test(first)) openings.freeRelatives.push(`${path}: ${first}`);
    }
  }
  return openings;
}

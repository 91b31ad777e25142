import { z } from 'zod';
import { parseDuration } from '../../kernel/duration.js';
import { type SettingKind, kindOf, Problem } from './setting-kind.js';

export const boolean: SettingKind<boolean> = {
  schema: z
    .string()
    .trim()
    .pipe(z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] })),
  expected: 'true or false (also 1/0, yes/no, on/off)',
};

/** Whole numbers from `least` to `most`, inclusive. */
export function integer(least: number, most: number): SettingKind<number> {
  const schema = z
    .string()
    .trim()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));
  return { schema, expected: `a whole number from ${least} to ${most}` };
}

/** Durations from `least` to `most`, inclusive and written as durations. The value is in seconds. */
export function duration(least: string, most: string): SettingKind<number> {
  const [lowest, highest] = [secondsOf(least), secondsOf(most)];
  return kindOf(`a duration from ${least} to ${most} (plain digits are seconds)`, (text) => {
    const seconds = parseDuration(text);
    if (seconds === undefined) return new Problem('not a duration');
    if (seconds < lowest || seconds > highest) return new Problem('out of range');
    return seconds;
  });
}

/** The same, or `off`, whose value is null. */
export const durationOrOff = (least: string, most: string): SettingKind<number | null> =>
  durationOr('off', least, most);

/** The same, or `none`, whose value is null. */
export const durationOrNone = (least: string, most: string): SettingKind<number | null> =>
  durationOr('none', least, most);

function durationOr(word: string, least: string, most: string): SettingKind<number | null> {
  const { schema, expected } = duration(least, most);
  const unlimited = z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.literal(word))
    .transform(() => null);
  return { schema: z.union([unlimited, schema]), expected: `${expected}, or ${word}` };
}

function secondsOf(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new TypeError(`"${text}" is not a duration`);
  return seconds;
}

/** One of a closed list of lower-case words, in any case. */
export function choice<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  return {
    schema: z.string().trim().toLowerCase().pipe(z.enum(words)),
    expected: `one of ${words.join(', ')}`,
  };
}

/** Any text that is not blank; `pattern` restricts it further. */
export function text(expected: string, pattern = /\S/): SettingKind<string> {
  return { schema: z.string().trim().regex(pattern), expected };
}

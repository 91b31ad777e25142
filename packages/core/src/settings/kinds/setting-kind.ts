import { z } from 'zod';

/** How the text of a setting becomes a value, and the words for what is accepted. */
export interface SettingKind<Value> {
  readonly schema: z.ZodType<Value, string>;
  readonly expected: string;
}

/** What is wrong with a text, in words that may be shown even when the text is secret. */
export class Problem {
  constructor(readonly message: string) {}
}

/** A kind read by a function; the text arrives trimmed. */
export function kindOf<Value>(expected: string, read: (text: string) => Value | Problem): SettingKind<Value> {
  const schema = z
    .string()
    .trim()
    .transform((text, context): Value => {
      const value = read(text);
      if (!(value instanceof Problem)) return value;
      context.addIssue({ code: 'custom', message: value.message });
      return z.NEVER;
    });
  return { schema, expected };
}

/** The values of a comma-separated list, or the problem of its first faulty part. Empty parts are skipped. */
export function readList<Value>(text: string, read: (part: string) => Value | Problem): Value[] | Problem {
  const values: Value[] = [];
  for (const part of text.split(',').map((raw) => raw.trim())) {
    if (part === '') continue;
    const value = read(part);
    if (value instanceof Problem) return value;
    values.push(value);
  }
  return values.length > 0 ? values : new Problem('an empty list');
}

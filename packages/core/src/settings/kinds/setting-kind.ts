import { z } from 'zod';

/** Parser of the text of a setting, with a description of accepted values. */
export interface SettingKind<Value> {
  readonly schema: z.ZodType<Value, string>;
  readonly expected: string;
}

/** A problem with a text, in words that may be shown even if the text is secret. */
export class Problem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Creates a kind from a function, which gets the text trimmed. */
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

/** Reads a comma-separated list. Returns its values, or the problem of the first faulty part. Skips empty parts. */
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

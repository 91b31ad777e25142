import type { z } from 'zod';
import { pointerOf, type FieldFault, type FieldReason } from './field-fault.js';

type Issue = z.core.$ZodIssue;

/** Inputs that have fields; any other is a field itself. */
const WITH_FIELDS = ['body', 'query', 'path', 'header'];

/**
 * Parse options that `faultsOfIssues` relies on: our messages, and the input, which distinguishes a value of
 * a wrong type from a missing one. Zod copies them for each input and sets `async` to false. It is among them, since V8 11
 * (Node.js 20) needs forty times as long for a copy that gets a new property.
 */
export const IN_OUR_WORDS = { reportInput: true, error: messageOf, async: false } as const;

/**
 * Returns the faults that issues describe. This is the only place where Zod issues are translated into our
 * messages and reasons.
 * @param where names an input that has no fields of its own, as `companyId`.
 */
export const faultsOfIssues = (issues: readonly Issue[], where: string): FieldFault[] =>
  issues.map((issue) => {
    const deepest = deepestOf(issue);
    const path = [...issue.path, ...(deepest === issue ? [] : deepest.path)];
    const missing = isMissing(deepest);
    return {
      pointer: path.length === 0 ? pointerOfInput(where) : pointerOf(path),
      reason: missing ? 'required' : fieldReason(deepest),
      message: missing ? 'is required' : deepest.message,
    };
  });

/** Returns the pointer of an input as a whole. */
export const pointerOfInput = (where: string): string =>
  WITH_FIELDS.includes(where) ? '' : pointerOf([where]);

/**
 * Returns the issue of the last option of a union: if a value may be empty or have a format, the caller meant
 * the format.
 */
function deepestOf(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const option = issue.errors.at(-1)?.[0];
  return option === undefined ? issue : deepestOf(option);
}

const isMissing = (issue: Issue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;

function fieldReason(issue: Issue): FieldReason {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'never' ? 'not_allowed' : 'type';
    case 'too_small':
      return isNumeric(issue.origin) ? 'too_small' : 'too_short';
    case 'too_big':
      return isNumeric(issue.origin) ? 'too_big' : 'too_long';
    case 'invalid_value':
    case 'unrecognized_keys':
      return 'not_allowed';
    case 'custom':
      return (issue.params?.reason as FieldReason | undefined) ?? 'format';
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
      return 'format';
  }
}

const isNumeric = (origin: string): boolean => ['number', 'int', 'bigint', 'date'].includes(origin);

/** Returns the message for schemas without one of their own; to be read after the name of the field. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return 'must be a whole number';
      return `must be of type ${issue.expected}, not ${typeOf(issue.input)}`;
    case 'too_small':
      return issue.minimum === 1 && !isNumeric(issue.origin)
        ? 'must not be empty'
        : `must ${atLimit(issue.origin, 'least', issue.minimum)}`;
    case 'too_big':
      return `must ${atLimit(issue.origin, 'most', issue.maximum)}`;
    case 'invalid_value':
      return `must be ${listOf(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form';
    case 'invalid_key':
      return 'does not have a name of the right form';
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'custom':
      return 'is not valid';
  }
}

function atLimit(origin: string, kind: 'least' | 'most', limit: number | bigint): string {
  const number = limit.toLocaleString('en');
  if (isNumeric(origin)) return `be at ${kind} ${number}`;
  const noun = origin === 'string' ? 'character' : 'element';
  return `have at ${kind} ${number} ${noun}${limit === 1 ? '' : 's'}`;
}

/** Returns `a`, `a or b` or `one of a, b, c`; an empty text, which means no value, is left out. */
function listOf(values: readonly unknown[]): string {
  const named = values.filter((value) => value !== '').map(String);
  if (named.length === 0) return 'empty';
  return named.length <= 2 ? named.join(' or ') : `one of ${named.join(', ')}`;
}

const FORMATS: Partial<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  email: 'must be an email address',
  url: 'must be a URL',
  datetime: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z',
};

function typeOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return Number.isNaN(input) ? 'NaN' : typeof input;
}

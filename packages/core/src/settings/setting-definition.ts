import type { SettingKind } from './kinds/setting-kind.js';
import { Secret } from './secret.js';

/**
 * The headings under which settings are documented, in that order.
 * @example
 * ```ts
 * const { entries } = inspectSettings({ source: {} });
 * settingGroups.every((group) => entries.some((entry) => entry.group === group)); // → true
 * ```
 */
export const settingGroups = [
  'Service',
  'HTTP',
  'Pages',
  'Database',
  'Redis',
  'Finance database',
  'Signing keys and access tokens',
  'Sessions and refresh tokens',
  'Machine access',
  'Core service',
  'Registration and passwords',
  'One-time secrets',
  'Rate limits',
  'Passkeys',
  'Mail',
  'Command line',
] as const;

export type SettingGroup = (typeof settingGroups)[number];

/** One setting: its name, its words for the documents, and the way from text to value. */
export interface SettingDefinition<Name extends string = string, Value = unknown> {
  readonly name: Name;
  readonly group: SettingGroup;
  readonly description: string;
  /** What holds when the setting is not given, in words for the documents. */
  readonly default: string;
  /** True when `default` is itself a value that could be written down. */
  readonly hasDefaultValue: boolean;
  /** True when the value must never be shown. */
  readonly secret: boolean;
  readonly example: string | undefined;
  readonly expected: string;
  /** What to do about a missing or faulty value. */
  readonly mend: string;
  /** The value of the given text; `undefined` stands for a setting that is not given. */
  readonly parse: (text: string | undefined) => ParsedSetting<Value>;
}

/** A value, or what in particular is wrong with the text (empty when there is nothing to add). */
export type ParsedSetting<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

interface SettingWords<Name extends string, Value> {
  name: Name;
  group: SettingGroup;
  kind: SettingKind<Value>;
  /** A value when the setting is `defaulted`, words when it is `optional`. */
  default: string;
  description: string;
  example?: string;
  mend?: string;
}

/** A setting whose default is a text like any that could be given. */
export function defaulted<const Name extends string, Value>(
  words: SettingWords<Name, Value>,
): SettingDefinition<Name, Value> {
  return {
    ...wordsOf(words),
    secret: false,
    hasDefaultValue: true,
    example: words.example ?? words.default,
    mend: words.mend ?? `correct ${words.name}, or remove it for the default (${words.default})`,
    parse: (text) => parseText(words.kind, text ?? words.default),
  };
}

/** A setting that may stay without a value; `default` says in words what happens then. */
export function optional<const Name extends string, Value>(
  words: SettingWords<Name, Value>,
): SettingDefinition<Name, Value | undefined> {
  return {
    ...wordsOf(words),
    secret: false,
    hasDefaultValue: false,
    example: words.example,
    mend: words.mend ?? `set it as in ${words.name}=${words.example ?? '…'}`,
    parse: (text) => (text === undefined ? { ok: true, value: undefined } : parseText(words.kind, text)),
  };
}

/** An optional setting whose value must never be shown: it is read as a `Secret`. */
export function secret<const Name extends string, Value>(
  words: SettingWords<Name, Value>,
): SettingDefinition<Name, Secret<Value> | undefined> {
  const plain = optional(words);
  return {
    ...plain,
    secret: true,
    parse: (text) => {
      const parsed = plain.parse(text);
      if (!parsed.ok || parsed.value === undefined)
        return parsed.ok ? { ok: true, value: undefined } : parsed;
      return { ok: true, value: new Secret(parsed.value) };
    },
  };
}

function wordsOf<Name extends string, Value>(words: SettingWords<Name, Value>) {
  return {
    name: words.name,
    group: words.group,
    description: words.description,
    default: words.default,
    expected: words.kind.expected,
  };
}

/** Only messages written in this folder are passed on: a library's own could quote a secret. */
function parseText<Value>(kind: SettingKind<Value>, text: string): ParsedSetting<Value> {
  const result = kind.schema.safeParse(text);
  if (result.success) return { ok: true, value: result.data };
  const own = result.error.issues.filter((issue) => issue.code === 'custom');
  return { ok: false, problem: own.map((issue) => issue.message).join('; ') };
}

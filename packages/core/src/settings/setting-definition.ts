import type { SettingKind } from './kinds/setting-kind.js';
import { Secret } from './secret.js';

/** The headings of the settings in the documentation, in order. */
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
  'Outbound requests',
  'Webhooks',
  'Registration and passwords',
  'One-time secrets',
  'Rate limits',
  'Passkeys',
  'Sign-in by mail',
  'Account deletion',
  'Profile pictures',
  'External providers',
  'Second factor',
  'API keys',
  'Mail',
  'Command line',
] as const;

export type SettingGroup = (typeof settingGroups)[number];

/** A setting: its name, its documentation, and the parser of its text. */
export interface SettingDefinition<Name extends string = string, Value = unknown> {
  readonly name: Name;
  /** A name that the setting had before, and may still be given under. */
  readonly formerName: string | undefined;
  readonly group: SettingGroup;
  readonly description: string;
  /** The default as documented. */
  readonly default: string;
  /** True if `default` is a value that could be set. */
  readonly hasDefaultValue: boolean;
  /** True if the value must never be shown. */
  readonly secret: boolean;
  readonly example: string | undefined;
  readonly expected: string;
  /** Instruction for fixing a missing or faulty value. */
  readonly fix: string;
  /** Parses the given text; `undefined` if the setting is not given. */
  readonly parse: (text: string | undefined) => ParsedSetting<Value>;
}

/** A value, or the problem with the text (empty if `expected` says it all). */
type ParsedSetting<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

interface SettingWords<Name extends string, Value> {
  name: Name;
  formerName?: string;
  group: SettingGroup;
  kind: SettingKind<Value>;
  /** A value if the setting is `defaulted`, a description if it is `optional`. */
  default: string;
  description: string;
  example?: string;
  fix?: string;
}

/** Defines a setting whose default is a value that could be set. */
export function defaulted<const Name extends string, Value>(
  words: SettingWords<Name, Value>,
): SettingDefinition<Name, Value> {
  return {
    ...wordsOf(words),
    secret: false,
    hasDefaultValue: true,
    example: words.example ?? words.default,
    fix: words.fix ?? `correct ${words.name}, or remove it for the default (${words.default})`,
    parse: (text) => parseText(words.kind, text ?? words.default),
  };
}

/** Defines a setting that may have no value; `default` describes what happens then. */
export function optional<const Name extends string, Value>(
  words: SettingWords<Name, Value>,
): SettingDefinition<Name, Value | undefined> {
  return {
    ...wordsOf(words),
    secret: false,
    hasDefaultValue: false,
    example: words.example,
    fix: words.fix ?? `set it as in ${words.name}=${words.example ?? '…'}`,
    parse: (text) => (text === undefined ? { ok: true, value: undefined } : parseText(words.kind, text)),
  };
}

/** Defines an optional setting whose value must never be shown. It is read as a `Secret`. */
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
    formerName: words.formerName,
    group: words.group,
    description: words.description,
    default: words.default,
    expected: words.kind.expected,
  };
}

/** Passes on only messages of this folder: those of a library could quote a secret. */
function parseText<Value>(kind: SettingKind<Value>, text: string): ParsedSetting<Value> {
  const result = kind.schema.safeParse(text);
  if (result.success) return { ok: true, value: result.data };
  const own = result.error.issues.filter((issue) => issue.code === 'custom');
  return { ok: false, problem: own.map((issue) => issue.message).join('; ') };
}

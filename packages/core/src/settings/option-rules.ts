import { didYouMean } from '../kernel/near-names.js';

/** A rule for the value of an option, as text and as a check. */
export interface OptionRule {
  /** The allowed values, for messages. */
  allowed: string;
  /** Reports whether a value is allowed. */
  isAllowed: (value: unknown) => boolean;
}

/** Accepts booleans only. */
export const trueOrFalse: OptionRule = {
  allowed: 'true or false',
  isAllowed: (value) => typeof value === 'boolean',
};

/** Accepts functions only. */
export const aFunction: OptionRule = {
  allowed: 'a function',
  isAllowed: (value) => typeof value === 'function',
};

export const someText: OptionRule = {
  allowed: 'text',
  isAllowed: (value) => typeof value === 'string' && value !== '',
};

export const someTexts: OptionRule = {
  allowed: 'an array of texts',
  isAllowed: (value) => Array.isArray(value) && value.every((item) => someText.isAllowed(item)),
};

/** Accepts any value; the option is checked elsewhere. */
export const anything: OptionRule = { allowed: 'anything', isAllowed: () => true };

/** The function that takes the options. */
interface OptionTaker {
  /** `createAuth` */
  name: string;
  /** Arguments before the options in a call: `settings, `. */
  before?: string;
  /** Option names of other libraries, and their names here. */
  aliases?: Readonly<Record<string, string>>;
}

/**
 * Rejects unknown options and values of a wrong type, which would otherwise be ignored.
 * @throws TypeError with the correct call.
 * @example
 * ```ts
 * assertOptions({ name: 'serve' }, { verbos: true }, { verbose: trueOrFalse }); // →! TypeError
 * ```
 */
export function assertOptions(
  taker: OptionTaker,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      `${taker.name}: the options must be an object. Write: ${lineOf(taker, Object.keys(rules)[0])}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw new TypeError(unknownOption(taker, name, Object.keys(rules)));
    if (value !== undefined && !rule.isAllowed(value)) {
      throw new TypeError(`${taker.name}: option ${name} must be ${rule.allowed}.`);
    }
  }
}

function unknownOption(taker: OptionTaker, name: string, known: readonly string[]): string {
  const alias = Object.hasOwn(taker.aliases ?? {}, name) ? taker.aliases?.[name] : undefined;
  const near = alias === undefined ? didYouMean(name, known) : ` Did you mean ${alias}?`;
  return `${taker.name}: unknown option ${name}.${near} Options are ${known.join(', ')}.`;
}

const lineOf = ({ name, before = '' }: OptionTaker, option = ''): string =>
  `${name}(${before}{ ${option}: … })`;

/** What an option may be, in words and as a check. */
export interface OptionRule {
  allowed: string;
  isAllowed: (value: unknown) => boolean;
}

export const trueOrFalse: OptionRule = {
  allowed: 'true or false',
  isAllowed: (value) => typeof value === 'boolean',
};

/**
 * Options that are misspelt or of a wrong kind would otherwise be passed over in silence.
 * @param taker whose options they are: `createAuthRouter`.
 * @throws TypeError that names the option.
 */
export function assertOptions(taker: string, options: unknown, rules: Record<string, OptionRule>): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${taker}: the options must be an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule)
      throw new TypeError(`${taker}: unknown option "${name}"; known: ${Object.keys(rules).join(', ')}`);
    if (value !== undefined && !rule.isAllowed(value)) {
      throw new TypeError(`${taker}: option "${name}" must be ${rule.allowed}`);
    }
  }
}

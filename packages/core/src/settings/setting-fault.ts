/**
 * One thing wrong with the settings, in words for the person who has to put it right.
 * @example
 * ```ts
 * const lineOf = ({ name, mend }: SettingFault): string => `${name}: ${mend}`;
 * lineOf({ name: 'PORT', found: '"http"', expected: 'a port', mend: 'correct it' }); // → 'PORT: correct it'
 * ```
 */
export interface SettingFault {
  /** Name of the setting, or of the file it should have come from. */
  readonly name: string;
  /** What was found; never any part of a secret. */
  readonly found: string;
  readonly expected: string;
  readonly mend: string;
}

/**
 * Thrown when settings are missing or wrong; the message names every one of them.
 * @example
 * ```ts
 * try {
 *   readSettings({ PORT: 'http', LOGIN_RATE_LIMIT: 'many' });
 * } catch (error) {
 *   const names = error instanceof SettingsError ? error.faults.map(({ name }) => name) : [];
 *   names; // → ['PORT', 'LOGIN_RATE_LIMIT']
 * }
 * ```
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly faults: readonly SettingFault[]) {
    super(messageOf(faults));
  }
}

function messageOf(faults: readonly SettingFault[]): string {
  const count = faults.length === 1 ? '1 setting is' : `${faults.length} settings are`;
  return [`${count} missing or wrong:`, ...faults.map(paragraphOf)].join('\n\n');
}

function paragraphOf(fault: SettingFault): string {
  return [
    `  ${fault.name}`,
    `    found     ${fault.found}`,
    `    expected  ${fault.expected}`,
    `    to mend   ${fault.mend}`,
  ].join('\n');
}

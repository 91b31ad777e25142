/** A fault of the settings, in words for the person who fixes it. */
export interface SettingFault {
  /** Name of the setting, or of the file that should contain it. */
  readonly name: string;
  /** The given value or state; never any part of a secret. */
  readonly found: string;
  readonly expected: string;
  readonly fix: string;
}

/**
 * Thrown if settings are missing or wrong. The message names all of them.
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
  readonly faults: readonly SettingFault[];

  constructor(faults: readonly SettingFault[]) {
    super(messageOf(faults));
    this.faults = faults;
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
    `    to fix    ${fault.fix}`,
  ].join('\n');
}

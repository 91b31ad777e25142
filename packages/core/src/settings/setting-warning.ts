/** Something about the settings that does no harm, yet is hardly what was meant. */
export interface SettingWarning {
  /** Name of the setting, or the name that is none. */
  readonly name: string;
  readonly found: string;
  readonly mend: string;
}

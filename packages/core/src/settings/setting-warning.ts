/** A harmless problem of the settings that is probably a mistake. */
export interface SettingWarning {
  /** Name of the setting, or an unknown name. */
  readonly name: string;
  readonly found: string;
  readonly fix: string;
}

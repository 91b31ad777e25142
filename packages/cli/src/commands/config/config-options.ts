/** The option `--env-file` of `config show` and `config check`. */
export interface ConfigOptions {
  envFile?: string;
}

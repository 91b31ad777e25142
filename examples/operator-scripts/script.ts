import type { LatchkeyApi } from './latchkey-api.js';

/** Output of a script: results go to `out`, so that they can be piped, everything else to `note`. */
export interface Output {
  out: (line: string) => Promise<void>;
  note: (line: string) => void;
}

/**
 * Runs a script with the command-line arguments after its name.
 * @throws UsageError for invalid arguments, ApiError.
 */
export type Script = (latchkey: LatchkeyApi, args: string[], output: Output) => Promise<void>;

/** The arguments of a script are invalid. */
export class UsageError extends Error {}

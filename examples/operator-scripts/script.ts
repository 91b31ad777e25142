import type { LatchkeyApi } from './latchkey-api.js';

/** Where a script writes. What it was asked for goes to `out`, so that it can be piped; all else to `note`. */
export interface Output {
  out: (line: string) => Promise<void>;
  note: (line: string) => void;
}

/**
 * A script: its arguments are those of the command line after its name.
 * @throws UsageError for arguments it cannot use, ApiError.
 */
export type Script = (latchkey: LatchkeyApi, args: string[], output: Output) => Promise<void>;

/** The script was called in a way that it does not understand. */
export class UsageError extends Error {}

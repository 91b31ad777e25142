import type { FirebaseHashParameters } from './firebase-hash.js';

/** Beside the file, the facts that a format needs. */
export interface FormatOptions {
  /** Names the file in messages. Defaults to "The file". */
  readonly file?: string | undefined;
  /** The parameters of the project whose users the file has. Without them, no password of Firebase is carried over. */
  readonly firebase?: FirebaseHashParameters | undefined;
}

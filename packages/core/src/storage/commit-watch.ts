import type pg from 'pg';
import { protocolOf } from './driver-protocol.js';

interface CommandComplete {
  /** The command that was completed, such as `COMMIT`. */
  text: string;
}

/**
 * Finds out what became of the COMMIT of a transaction. PostgreSQL answers the COMMIT of a failed one with `ROLLBACK` and no
 * error, so work that swallowed the error of a statement would appear saved. Neither pg nor knex passes the answer on.
 */
export class CommitWatch {
  readonly #connection: pg.ClientBase;
  #lastCommand = '';

  constructor(connection: pg.ClientBase) {
    this.#connection = connection;
    protocolOf(connection).on('commandComplete', this.#remember);
  }

  /** Throws if the last command of the connection was answered by a rollback. */
  assertCommitted(): void {
    if (this.#lastCommand === 'ROLLBACK') {
      throw new Error(
        'The transaction cannot commit: an earlier statement failed and its error was swallowed.',
      );
    }
  }

  /** Ends the watch. */
  end(): void {
    protocolOf(this.#connection).off('commandComplete', this.#remember);
  }

  readonly #remember = ({ text }: CommandComplete): void => {
    this.#lastCommand = text;
  };
}

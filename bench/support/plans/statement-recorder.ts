import type { Database, Statement } from '../../../packages/core/src/storage/database.js';

/** Records the names of the statements that a database is given. */
export class StatementRecorder {
  readonly seen = new Set<string>();

  /** Returns the same database; whichever of its methods takes a statement, its name is recorded. */
  watch(database: Database): Database {
    return new Proxy(database, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          for (const arg of args) if (isStatement(arg)) this.seen.add(arg.name);
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'text' in value &&
  typeof value.name === 'string' &&
  typeof value.text === 'string';

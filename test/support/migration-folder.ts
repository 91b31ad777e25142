import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { Migrator } from '../../packages/core/src/storage/migrator.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** An empty database, and a folder of migrations for it. */
export class MigrationFolder {
  readonly path: string;
  readonly database: Database;
  readonly #testDatabase: TestDatabase;
  readonly #opened: Database[] = [];

  private constructor(path: string, testDatabase: TestDatabase) {
    this.path = path;
    this.#testDatabase = testDatabase;
    this.database = this.open();
  }

  static async create(): Promise<MigrationFolder> {
    const path = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'));
    return new MigrationFolder(path, await createTestDatabase({ migrated: false }));
  }

  get url(): string {
    return this.#testDatabase.url;
  }

  write(fileName: string, sql: string): Promise<void> {
    return writeFile(join(this.path, fileName), sql);
  }

  /** Removes files, as a program of an earlier version lacks them. */
  async remove(...fileNames: string[]): Promise<void> {
    for (const fileName of fileNames) await rm(join(this.path, fileName));
  }

  /** A pool of its own, as a further process has. */
  open(url = this.url): Database {
    const database = new Database({ url, poolMax: 1, preparedStatements: true });
    this.#opened.push(database);
    return database;
  }

  migrator(database = this.database): Migrator {
    return new Migrator(database, this.path, silentLogger);
  }

  async sql(text: string): Promise<Record<string, unknown>[]> {
    return this.database.withConnection(async (connection) => {
      const { rows } = await connection.query<Record<string, unknown>>(text);
      return rows;
    });
  }

  async drop(): Promise<void> {
    for (const database of this.#opened) await database.close();
    await this.#testDatabase.drop();
    await rm(this.path, { recursive: true });
  }
}

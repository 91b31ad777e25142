import { userInfo } from 'node:os';
import { expect } from 'vitest';
import { runCliHere, type CliResult } from './cli-process.js';
import type { TestService } from './service.js';

/** `latchkey` with the database and the Redis of a service, without a terminal. */
export class OperatorClient {
  readonly service: TestService;
  readonly env: Record<string, string>;
  /** The actor that audit rows name. */
  readonly actor = `cli:${userInfo().username}`;

  constructor(service: TestService, env: Record<string, string> = {}) {
    this.service = service;
    this.env = {
      DATABASE_URL: service.databaseUrl,
      ...(service.redis && { REDIS_URL: service.redis.url }),
      ...env,
    };
  }

  run(args: readonly string[], input?: string): Promise<CliResult> {
    return runCliHere(args, { env: this.env, ...(input !== undefined && { input }) });
  }

  /** The result of a command that succeeds without a word beside it. */
  async json<T>(args: readonly string[], input?: string): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], input);
    expect(code, stderr).toBe(0);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as T;
  }

  /** The fields of a details by their labels; of labels that come several times, the last. */
  async details(args: readonly string[]): Promise<Record<string, string>> {
    const { code, stdout, stderr } = await this.run(args);
    expect(code, stderr).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('\t') as [string, string]));
  }

  /** Returns the audit rows about a user, oldest first. */
  auditOf(userId: string): Promise<Record<string, unknown>[]> {
    return this.service.sql(
      'SELECT event, actor, details FROM auth_audit_logs WHERE subject_user_id = $1 ORDER BY id',
      [userId],
    );
  }
}

/** A bash that runs one block after the other and keeps its variables and functions. */
export class Shell {
  constructor(cwd: string, env: NodeJS.ProcessEnv, timeoutMs?: number);

  /** Returns the output of the block, including errors. Throws if one of its commands fails. */
  run(code: string): Promise<string>;

  close(): void;
}

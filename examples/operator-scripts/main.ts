import { once } from 'node:events';
import { checkout } from './checkout.js';
import { deactivateIdle } from './deactivate-idle.js';
import { exportAuditLog } from './export-audit-log.js';
import { ApiError, LatchkeyApi } from './latchkey-api.js';
import { UsageError, type Output, type Script } from './script.js';

const SCRIPTS: Record<string, Script | undefined> = {
  checkout,
  'deactivate-idle': deactivateIdle,
  'export-audit-log': exportAuditLog,
};

const USAGE = `AUTH_INTERNAL_API_KEY=… npm run example:operator -- <script>

  checkout [--company <id>]                 creates and signs in a customer
  deactivate-idle --days <n> [--yes]        lists or deactivates idle users
  export-audit-log [--from <instant>] [--to <instant>] [--event <name>]

Use the key that Latchkey was started with. LATCHKEY_URL defaults to http://localhost:3097.`;

const output: Output = {
  out: async (line) => {
    // Waits for a slow reader instead of buffering in memory.
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  },
  note: (line) => console.error(line),
};

/** Runs the script. @returns the exit code: 0, 1 on failure, 2 on invalid arguments. */
async function main([name = '', ...args]: string[]): Promise<number> {
  const url = process.env.LATCHKEY_URL ?? 'http://localhost:3097';
  const key = process.env.AUTH_INTERNAL_API_KEY;
  const script = SCRIPTS[name];
  if (!script || key === undefined) {
    console.error(USAGE);
    return 2;
  }
  try {
    await script(new LatchkeyApi(url, key), args, output);
    return 0;
  } catch (error) {
    if (isUsage(error)) console.error(`${error.message}\n\n${USAGE}`);
    else
      console.error(error instanceof ApiError ? error.message : `${url} does not respond: ${String(error)}`);
    return isUsage(error) ? 2 : 1;
  }
}

/** True for a UsageError and for errors of Node's `parseArgs`. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

process.exitCode = await main(process.argv.slice(2));

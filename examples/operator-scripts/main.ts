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

  checkout [--company <id>]                 a new customer, let in at once
  deactivate-idle --days <n> [--yes]        people who have not signed in for so long
  export-audit-log [--from <instant>] [--to <instant>] [--event <name>]

The key is the one Latchkey was started with. LATCHKEY_URL: where it is, unless at http://localhost:3097.`;

const output: Output = {
  out: async (line) => {
    // A slow reader of our output slows us down, instead of filling our memory.
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  },
  note: (line) => console.error(line),
};

/** @returns the exit code: 0, or 1 when it could not be done, or 2 when it was not understood. */
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
      console.error(error instanceof ApiError ? error.message : `${url} does not answer: ${String(error)}`);
    return isUsage(error) ? 2 : 1;
  }
}

/** Ours, or one of Node's `parseArgs`. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

process.exitCode = await main(process.argv.slice(2));

// The migrations live at the root of the repository; the published core carries a copy, for the length of a pack.
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../migrations', import.meta.url));
const copy = fileURLToPath(new URL('../packages/core/migrations', import.meta.url));

rmSync(copy, { recursive: true, force: true });
if (process.argv[2] !== '--remove') cpSync(source, copy, { recursive: true });

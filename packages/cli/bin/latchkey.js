#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('error: latchkey is not built yet.\nRun: npm run build\n');
  process.exitCode = 1;
}

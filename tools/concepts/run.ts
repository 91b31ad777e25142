import { root } from '../shared/repository-files.mjs';
import { countPackages, perThousand } from './sources.js';

const HELP = `Usage: npm run concepts

Prints the size of each package, and how many names are in it: exports and types (classes, interfaces,
types, enums), per 1,000 lines. The ceilings are in test/concepts.test.ts.
`;

if (process.argv.length > 2) {
  process.stdout.write(HELP);
  process.exit(process.argv[2] === '--help' ? 0 : 2);
}
const columns = ['package', 'files', 'lines', 'exports', 'types'];
const rows = [...countPackages(root)].map(([name, counts]) => [
  name,
  String(counts.files),
  String(counts.lines),
  perThousand(counts.exports, counts).toFixed(1),
  perThousand(counts.types, counts).toFixed(1),
]);
for (const row of [columns, ...rows]) {
  const [name = '', ...numbers] = row;
  process.stdout.write(`${name.padEnd(17)}${numbers.map((text) => text.padStart(9)).join('')}\n`);
}

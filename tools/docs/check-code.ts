// Checks the code on the pages: `npm run docs:code`. What is checked, and how a page says what a sample takes as given,
// stands in CONTRIBUTING.md.
import fs from 'node:fs';
import path from 'node:path';
import { repositoryFiles, root } from '../shared/repository-files.mjs';
import { checkPages } from './code/check.js';
import { codeBlocks } from './code/page.js';

const PAGES =
  /^(README\.md|CONTRIBUTING\.md|docs\/.*\.md|(examples|packages)\/[^/]+\/README\.md|deploy\/.*\.md)$/;

const pages = repositoryFiles()
  .filter((file) => PAGES.test(file))
  .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
const faults = checkPages(root, pages);

for (const { file, line, message } of faults) console.log(`${file}:${line}: ${message}`);
const count = pages.flatMap(codeBlocks).length;
console.log(`${count} code blocks on ${pages.length} pages, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

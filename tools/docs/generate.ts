import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { accessPictures } from './documents/access-picture.js';
import { cliDocument } from './documents/cli.js';
import { clientPublicRoutes } from './documents/client-public-routes.js';
import { configurationDocument } from './documents/configuration.js';
import { envExampleDocument } from './documents/env-example.js';
import type { GeneratedDocument } from './documents/generated-document.js';
import { httpApiDocument } from './documents/http-api.js';
import { libraryDocument } from './documents/library.js';
import { metricsDocument } from './documents/metrics.js';
import { openApiJson } from './documents/openapi.js';

/** Everything that is generated: a further document is one more entry. */
const documents: GeneratedDocument[] = [
  envExampleDocument,
  configurationDocument,
  openApiJson,
  clientPublicRoutes,
  cliDocument,
  libraryDocument,
  httpApiDocument,
  metricsDocument,
  ...accessPictures,
];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The OpenAPI document is larger than the default of Node, a megabyte. */
const MAX_BYTES = 64 * 1024 * 1024;
const FORMATTER = `${root}node_modules/oxfmt/bin/oxfmt`;
const FORMATTED = /\.(md|ts|json)$/;

/** Writes the documents, or with `--check` names those that differ and exits with 1. */
async function main(): Promise<void> {
  const checkOnly = process.argv.includes('--check');
  for (const document of documents) {
    const wanted = await renderFormatted(document);
    if (wanted === (await currentText(document))) continue;
    if (checkOnly) reportStale(document);
    else await write(document, wanted);
  }
}

/** Returns the text as the formatter leaves it, so that formatting and generating never disagree. */
async function renderFormatted(document: GeneratedDocument): Promise<string> {
  const text = await document.render();
  if (!FORMATTED.test(document.path)) return text;
  // Its program, not its function: that one reads neither the settings nor the list of files to leave alone.
  const options = { cwd: root, input: text, encoding: 'utf8', maxBuffer: MAX_BYTES } as const;
  return execFileSync(process.execPath, [FORMATTER, `--stdin-filepath=${document.path}`], options);
}

async function currentText(document: GeneratedDocument): Promise<string | undefined> {
  try {
    return await readFile(root + document.path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(document: GeneratedDocument, text: string): Promise<void> {
  await writeFile(root + document.path, text);
  console.log(`written: ${document.path}`);
}

function reportStale(document: GeneratedDocument): void {
  console.error(`stale: ${document.path} (run: npm run docs)`);
  process.exitCode = 1;
}

await main();

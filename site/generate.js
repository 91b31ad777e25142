// Writes what the site contains beside the Markdown files of the repository: the references, and copies of files that pages
// link to. `npm run site` and its relatives run it first.
import fs from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { writeApiViewer } from './contents/api-viewer.js';
import { httpPages } from './contents/http-reference.js';
import {
  copyOf,
  GENERATED,
  isFolder,
  pageOf,
  readText,
  repositoryAddress,
  ROOT,
} from './contents/repository.js';
import { targetOf } from './contents/targets.js';
import { writeTypeScriptReference } from './contents/typescript-reference.js';

const OUT = path.join(ROOT, GENERATED);
const STATIC = path.join(OUT, 'static');
/** The folder of Mermaid's modules. */
const CHUNKS = 'chunks/mermaid.esm.min';

function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const writeSidebar = (name, sidebar) => write(path.join(OUT, name, 'sidebar.json'), JSON.stringify(sidebar));

function writeHttpReference() {
  const { pages, sidebar } = httpPages();
  for (const { file, text } of pages) write(path.join(OUT, 'http', file), text);
  writeSidebar('http', sidebar);
}

/** Returns the Markdown files of the repository that are pages. */
function sourcesOfPages() {
  const names = ['.', 'docs', 'packages', 'examples', 'bench'].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: folder !== '.' })
      .map((name) => path.posix.join(folder, name)),
  );
  return names.filter((name) => !name.includes('node_modules/') && pageOf(name) !== undefined);
}

/** Returns the files and folders that pages link to and that are no pages. */
function linkedFiles() {
  const markdown = new MarkdownIt();
  const links = sourcesOfPages().flatMap((file) => {
    const inline = markdown.parse(readText(file), {}).flatMap(({ children }) => children ?? []);
    return inline.flatMap((token) => targetOf(file, token.attrGet('href') ?? '#')?.file ?? []);
  });
  return [...new Set(links)];
}

/** Returns the text of a file, or of all files of a folder with their names. */
function textOf(file) {
  if (!isFolder(file)) return readText(file);
  const names = fs.readdirSync(path.join(ROOT, file)).map((name) => path.posix.join(file, name));
  return names
    .filter((name) => !isFolder(name))
    .map((name) => `# ${name}\n\n${readText(name)}`)
    .join('\n\n');
}

function writeStaticFiles() {
  const copied = repositoryAddress() === undefined ? linkedFiles() : [];
  for (const file of ['docs/openapi.json', ...copied]) write(path.join(STATIC, copyOf(file)), textOf(file));
  fs.cpSync(path.join(ROOT, 'docs/images'), path.join(STATIC, 'images'), { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'site/.vitepress/theme/logo.svg'), path.join(STATIC, 'logo.svg'));
  writeApiViewer(path.join(STATIC, 'api'));
  copyMermaid();
}

/**
 * Copies Mermaid as it is published: bundling it again would take longer than all pages. Its modules get the suffix that
 * every web server knows as JavaScript.
 */
function copyMermaid() {
  const from = path.join(ROOT, 'site/node_modules/mermaid/dist');
  const chunks = fs.readdirSync(path.join(from, CHUNKS)).map((name) => path.join(CHUNKS, name));
  for (const name of ['mermaid.esm.min.mjs', ...chunks].filter((file) => file.endsWith('.mjs'))) {
    const text = fs.readFileSync(path.join(from, name), 'utf8');
    write(path.join(STATIC, 'mermaid', name.replace(/\.mjs$/, '.js')), text.replaceAll('.mjs"', '.js"'));
  }
}

fs.rmSync(OUT, { recursive: true, force: true });
writeHttpReference();
writeStaticFiles();
writeSidebar('typescript', await writeTypeScriptReference(path.join(OUT, 'typescript')));

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the built site. */
export const DIST = fileURLToPath(new URL('../../site/.vitepress/dist', import.meta.url));

/** A page of the built site. */
export interface BuiltPage {
  /** From the root of the site, such as `/decisions/index.html`. */
  path: string;
  html: string;
  /** The values of `id`. */
  ids: Set<string>;
}

/** An element that names an address. */
export interface Reference {
  page: BuiltPage;
  tag: string;
  address: string;
}

/** Returns every file of the built site, from its root. */
export const builtFiles = (): string[] =>
  fs
    .readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.split(path.sep).join('/')}`)
    .filter((file) => fs.statSync(DIST + file).isFile());

/** Returns every page of the built site. */
export const builtPages = (): BuiltPage[] =>
  builtFiles()
    .filter((file) => file.endsWith('.html'))
    .map((file) => {
      const html = fs.readFileSync(DIST + file, 'utf8');
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => plain(id!));
      return { path: file, html, ids: new Set(ids) };
    });

/** Returns what the elements of a page refer to by `href`, `src` and `srcset`. */
export function referencesOf(page: BuiltPage): Reference[] {
  return [...page.html.matchAll(/<([a-z]+)\b([^>]*)>/gi)].flatMap(([, tag, attributes]) =>
    [...attributes!.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, address]) => ({
      page,
      tag: tag!.toLowerCase(),
      address: plain(address!),
    })),
  );
}

const plain = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

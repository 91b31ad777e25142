import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Auth } from '@latchkey/core';
import {
  getOnly,
  textResponse,
  type Endpoint,
  type Exchange,
  type SteadyEndpoint,
} from '@latchkey/http/internal';
import { referencePage, withSlashRedirects } from '@latchkey/pages/internal';
import { version } from './version.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Returns `GET /docs`: the HTTP reference, read from `/openapi.json`. It loads everything from this server. */
export function docsEndpoints(auth: Auth): Endpoint[] {
  const html = referencePage(auth);
  const style = accentsOf(auth.brandColours) + readFileSync(ownFile('docs.css'), 'utf8');
  const text = (path: string, type: string, content: string): SteadyEndpoint => ({
    path,
    serve: (exchange) => textResponse(exchange, 200, { type, text: content }),
  });
  const script = (name: string, file = name): SteadyEndpoint =>
    text(`/docs/${name}`, TYPES.js, readFileSync(ownFile(file), 'utf8'));
  const page = getOnly(auth, {
    path: '/docs',
    serve: (exchange: Exchange) => {
      exchange.headers.set('Content-Security-Policy', POLICY);
      return textResponse(exchange, 200, { type: TYPES.html, text: html });
    },
  });
  const files = [
    script('start.js', 'docs.js'),
    script('docs-references.js'),
    script('docs-samples.js'),
    text('/docs/style.css', TYPES.css, style),
    viewerFile('swagger-ui-bundle.js', TYPES.js),
    viewerFile('swagger-ui.css', TYPES.css),
  ].map((endpoint) => getOnly(auth, endpoint));
  return [...withSlashRedirects(auth, [page]), ...files];
}

/** A file of the viewer is read when it is asked for: few need it, and it has more than a megabyte. */
function viewerFile(name: string, type: string): SteadyEndpoint {
  const tag = `"${version}-${name}"`;
  return {
    path: `/docs/viewer/${name}`,
    serve: async (exchange) => {
      const { request, headers } = exchange;
      headers.set('Cache-Control', 'public, max-age=86400');
      headers.set('ETag', tag);
      if (request.headers['if-none-match'] === tag) return { status: 304, headers };
      return textResponse(exchange, 200, { type, text: await readFile(join(viewerFolder(), name), 'utf8') });
    },
  };
}

/** The viewer sets the class by the colour scheme. */
const accentsOf = ({ light, dark }: Auth['brandColours']): string =>
  `:root{--accent:${light.accent};--on-accent:${light.onAccent}}:root.dark-mode{--accent:${dark.accent};--on-accent:${dark.onAccent}}`;

const require = createRequire(import.meta.url);

/** Returns the viewer's folder: beside the built code, or in an unbuilt checkout in the package it is copied from. */
function viewerFolder(): string {
  const built = fileURLToPath(new URL('./docs-viewer', import.meta.url));
  if (existsSync(built)) return built;
  return dirname(require.resolve('swagger-ui-dist/package.json'));
}

/** Returns the path of a file of this package: beside the built code or the source, or in a checkout if it was moved. */
function ownFile(name: string): string {
  const beside = fileURLToPath(new URL(`./public/${name}`, import.meta.url));
  if (existsSync(beside)) return beside;
  return join(dirname(require.resolve('@latchkey/server/package.json')), 'src/public', name);
}

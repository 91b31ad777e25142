import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import type { Auth } from '@latchkey/core';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Latchkey HTTP API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="docs/viewer/swagger-ui.css">
  <link rel="stylesheet" href="docs/style.css">
  <script src="docs/viewer/swagger-ui-bundle.js" defer></script>
  <script src="docs/start.js" defer></script>
</head>
<body>
  <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
  <div id="viewer"></div>
</body>
</html>
`;

/** Serves `GET /docs`: the HTTP reference, read from `/openapi.json`. It loads everything from this server. */
export function docsPage({ brandColours }: Pick<Auth, 'brandColours'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const script = readFileSync(ownFile('docs.js'), 'utf8');
  const style = accentsOf(brandColours) + readFileSync(ownFile('docs.css'), 'utf8');
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(script);
  });
  router.get('/docs/style.css', (_request, response) => {
    response.type('css').send(style);
  });
  router.use('/docs/viewer', express.static(viewerFolder(), { index: false, redirect: false, maxAge: '1d' }));
  return router;
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

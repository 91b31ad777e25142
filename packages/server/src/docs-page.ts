import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer styles itself.
  "style-src 'self' 'unsafe-inline'",
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
  <script src="docs/viewer/swagger-ui-bundle.js" defer></script>
  <script src="docs/start.js" defer></script>
</head>
<body>
  <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
  <main id="viewer"></main>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#viewer',
  // Each operation has an address, and a field above the list keeps the groups whose name contains what is typed.
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Serves `GET /docs`: the HTTP reference, read from `/openapi.json`. It loads everything from this server. */
export function docsPage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  router.use('/docs/viewer', express.static(viewerFolder(), { index: false, redirect: false, maxAge: '1d' }));
  return router;
}

/**
 * Returns the viewer's folder: beside the built code, or in an unbuilt checkout in the package it is copied
 * from.
 */
function viewerFolder(): string {
  const built = fileURLToPath(new URL('./docs-viewer', import.meta.url));
  if (existsSync(built)) return built;
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

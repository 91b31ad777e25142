import fs from 'node:fs';
import path from 'node:path';
import { readText, ROOT } from './repository.js';

const VIEWER = path.join(ROOT, 'site/node_modules/swagger-ui-dist');
const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

const PUBLIC = 'packages/server/src/public';
/** The modules that the plugin imports, which import nothing. */
const IMPORTED = /^import .* from '\.\/([\w-]+\.js)';$/gm;

/** The settings of the service's own page, and those of the site: its page sends no requests. */
const URL_OF_SERVICE = "url: 'openapi.json',";
const URL_OF_SITE = "url: '../openapi.json',\n  supportedSubmitMethods: [],";

/** The accent of the pages: packages/core/src/settings/definitions/pages.ts. */
const ACCENTS =
  ':root{--accent:#2f5bd0;--on-accent:#fff}:root.dark-mode{--accent:#9db8ff;--on-accent:#0c0e12}';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference | Latchkey</title>
  <link rel="icon" type="image/svg+xml" href="../logo.svg">
  <link rel="stylesheet" href="swagger-ui.css">
  <link rel="stylesheet" href="style.css">
  <script src="swagger-ui-bundle.js" defer></script>
  <script type="module" src="start.js"></script>
</head>
<body>
  <header class="top">
    <a class="home" href="../index.html"><img src="../logo.svg" alt="" width="28" height="28"> Latchkey</a>
    <p>API reference</p>
    <nav aria-label="Documents"><a href="../contents.html">Documentation</a></nav>
  </header>
  <div class="reference">
    <nav id="groups" aria-label="Groups of operations"><ul></ul></nav>
    <div id="viewer"></div>
  </div>
</body>
</html>
`;

/**
 * Writes the page of the service at /docs as a part of the site: the same viewer, plugin and style.
 * @throws Error if the plugin has changed so that the site cannot use it
 */
export function writeApiViewer(folder) {
  const plugin = readText(`${PUBLIC}/docs.js`);
  if (!plugin.includes(URL_OF_SERVICE))
    throw new Error(`docs.js of the server has no line "${URL_OF_SERVICE}".`);
  fs.mkdirSync(folder, { recursive: true });
  for (const file of FILES) fs.copyFileSync(path.join(VIEWER, file), path.join(folder, file));
  fs.writeFileSync(path.join(folder, 'start.js'), plugin.replace(URL_OF_SERVICE, URL_OF_SITE));
  for (const [, module] of plugin.matchAll(IMPORTED))
    fs.writeFileSync(path.join(folder, module), readText(`${PUBLIC}/${module}`));
  fs.writeFileSync(path.join(folder, 'style.css'), `${ACCENTS}\n${readText(`${PUBLIC}/docs.css`)}`);
  fs.writeFileSync(path.join(folder, 'index.html'), PAGE);
}

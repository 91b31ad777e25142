import { bundleApp } from './bundle-app.js';
import { runApp } from './run-app.js';
import { createWebApp } from './web-app.js';

const PORT = 3300;

await runApp({
  port: PORT,
  dataDir: '.latchkey/web-app',
  settings: {
    PASSKEYS_ENABLED: 'true',
    WEBAUTHN_RP_ID: 'localhost',
    WEBAUTHN_ORIGINS: `http://localhost:${PORT}`,
    // A browser that loses a response to a refresh stays signed in.
    REFRESH_REUSE_GRACE: '30s',
  },
  createApp: async (auth) => createWebApp(auth, await bundleApp('web-app')),
});

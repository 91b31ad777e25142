import { bundleApp } from '../web-app/bundle-app.js';
import { runApp } from '../web-app/run-app.js';
import { createCompanyApp } from './company-app.js';

await runApp({
  port: 3301,
  path: '/app',
  dataDir: '.latchkey/company-app',
  settings: {
    AUTH_WEB_COOKIE_MODE: 'true',
    // A browser that loses a response to a refresh stays signed in.
    REFRESH_REUSE_GRACE: '30s',
  },
  createApp: async (auth) => createCompanyApp(auth, await bundleApp('company-app')),
});

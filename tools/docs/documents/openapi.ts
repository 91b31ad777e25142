import { allRoutes, openApiDocument } from '@latchkey/express-adapter';
import manifest from '../../../package.json' with { type: 'json' };
import type { GeneratedDocument } from './generated-document.js';

/** The interface as the service describes itself at `/openapi.json`. */
export const openApiJson: GeneratedDocument = {
  path: 'docs/openapi.json',
  render: () => {
    // With cookie mode, so that one document is true of every service.
    const facts = { version: manifest.version, serverUrl: 'http://localhost:3097', cookieMode: true };
    return `${JSON.stringify(openApiDocument(allRoutes, facts), null, 2)}\n`;
  },
};

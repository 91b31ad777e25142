import { createRoot } from 'react-dom/client';
import { createClient } from '@latchkey/client';
import { LatchkeyProvider } from '@latchkey/client/react';
import { App } from './app.js';

/** One for the whole page. Empty: the service has the origin of the page. */
const client = createClient({ baseUrl: '', tokens: 'localStorage' });

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <LatchkeyProvider client={client}>
      <App />
    </LatchkeyProvider>,
  );
}

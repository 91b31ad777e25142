import { createRoot } from 'react-dom/client';
import { createClient } from '@latchkey/client';
import { LatchkeyProvider } from '@latchkey/client/react';
import { App } from './app.js';

/** The session is in cookies of this origin, which the pages of the service use, too. */
const client = createClient({ baseUrl: '', tokens: 'cookies' });

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <LatchkeyProvider client={client}>
      <App />
    </LatchkeyProvider>,
  );
}

import { createClient } from '@latchkey/client';

/** The client of a test page, as `window.client`. Address and store are in `data-` attributes of the document. */
const { baseUrl = '', tokens } = document.documentElement.dataset;
window.client = createClient({ baseUrl, tokens: tokens === 'cookies' ? 'cookies' : 'localStorage' });

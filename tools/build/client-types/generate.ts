import { buildClientTypes } from './client-types.js';

// Run before everything that compiles the client from its sources: `npm run client-types`.
if (await buildClientTypes()) console.log('written: the types of the client');

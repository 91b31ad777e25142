import { readSettings } from '@latchkey/core';
import { runService } from '@latchkey/server';
import { withCheapPasswords } from './cheap-passwords.js';

// The standalone server, for tests with hundreds of passwords: their hashing would spread simultaneous requests over seconds.
process.exit(await runService({ settings: () => withCheapPasswords(readSettings()) }));

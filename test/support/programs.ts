import { join } from 'node:path';
import { inject } from 'vitest';
import type { Program } from './build-programs.js';

/** Returns the file of a program that the run has bundled: `node <file>` starts it. */
export const programFile = (program: Program): string => join(inject('programs'), `${program}.js`);

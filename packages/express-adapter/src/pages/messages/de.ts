import { consoleMessages as staffConsole } from './de/console.js';
import { frameMessages as frame } from './de/frame.js';
import { loginMessages as login } from './de/login.js';
import type { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts that the service renders, in German. */
export const de: Translation<typeof en> = { staffConsole, frame, login };

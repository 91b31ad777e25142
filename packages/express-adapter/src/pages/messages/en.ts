import { consoleMessages as staffConsole } from './en/console.js';
import { frameMessages as frame } from './en/frame.js';
import { loginMessages as login } from './en/login.js';

/** The texts that the service renders, in English. */
export const en = { staffConsole, frame, login };

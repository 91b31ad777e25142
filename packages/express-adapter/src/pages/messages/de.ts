import { frameMessages as frame } from './de/frame.js';
import { loginMessages as login } from './de/login.js';
import { notFoundMessages as notFound } from './de/not-found.js';
import { registerMessages as register } from './de/register.js';
import type { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts that the service renders, in German. */
export const de: Translation<typeof en> = { frame, login, notFound, register };

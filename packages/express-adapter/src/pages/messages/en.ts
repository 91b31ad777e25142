import { frameMessages as frame } from './en/frame.js';
import { loginMessages as login } from './en/login.js';
import { notFoundMessages as notFound } from './en/not-found.js';
import { registerMessages as register } from './en/register.js';

/** The texts that the service renders, in English. */
export const en = { frame, login, notFound, register };

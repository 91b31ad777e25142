import { readFile } from 'node:fs/promises';
import { unreadable } from './readable-file.js';

/** Reads a file that the command line names. @throws CommandError if it cannot be read. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

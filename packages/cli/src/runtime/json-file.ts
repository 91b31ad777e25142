import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

/** Reads a file with JSON. @throws CommandError if it cannot be read, or is none. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(
      EXIT.failed,
      `${path} is not JSON.`,
      'See docs/roles.md for the form of the file.',
    );
  }
}

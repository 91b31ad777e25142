import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

/** Reads a file with JSON. @throws CommandError if it cannot be read, or is none. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  try {
    // Editors of Windows begin UTF-8 with a byte order mark, which parsers may ignore (RFC 8259, section 8.1).
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new CommandError(
      EXIT.failed,
      `${path} is not JSON.`,
      'See docs/roles.md for the form of the file.',
    );
  }
}

import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

const HINT = 'See docs/roles.md for the form of the file.';

/** Reads a file with JSON. @throws CommandError if it cannot be read, is none, or has a field twice, of which one would be ignored. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(EXIT.failed, `${path} is not JSON.`, HINT);
  }
  const { hasRepeatedField } = await import('@latchkey/core/settings');
  if (hasRepeatedField(text)) {
    throw new CommandError(
      EXIT.failed,
      `An object of ${path} has a field twice; remove one of the two.`,
      HINT,
    );
  }
  return value;
}

import { CommandError } from './failure.js';
import type { Prompts } from './prompts.js';

/**
 * Returns the id of a company from the command line; asks for it if it is missing.
 * @param name the argument or option: `<company>`, `--company <id>`.
 * @throws CommandError for a text that is no UUID: companies are known by id only.
 */
export async function companyId(given: string | undefined, name: string, prompts: Prompts): Promise<string> {
  const text = given ?? (await prompts.text('Which company (id)?', name));
  const { isUuid } = await import('@latchkey/core/schemas');
  if (isUuid(text)) return text.toLowerCase();
  throw CommandError.usage(`"${text}" is not a company id. Give its UUID.`);
}

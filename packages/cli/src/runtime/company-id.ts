import { CommandError } from './failure.js';
import type { Prompts } from './prompts.js';

/**
 * The id of a company from the command line, asked for when it was left out.
 * @param name how it is given: `<company>`, `--company <id>`.
 * @throws CommandError for a text that is no UUID: nobody here knows the names of companies.
 */
export async function companyId(given: string | undefined, name: string, prompts: Prompts): Promise<string> {
  const text = given ?? (await prompts.text('Which company (id)?', name));
  const { isUuid } = await import('@latchkey/core/schemas');
  if (isUuid(text)) return text.toLowerCase();
  throw CommandError.usage(`"${text}" is no company id (a UUID).`);
}

import type { Call } from '../../runtime/call.js';
import { companyId } from '../../runtime/company-id.js';

/** The options and texts that the commands for roles share. */
export const COMPANY = [
  '--company <id>',
  'the definition of this company; defaults to the templates',
] as const;

/** Returns the company of a definition; null for a template. */
export const companyOf = async ({ options, prompts }: Call<{ company?: string }>): Promise<string | null> =>
  options.company === undefined ? null : companyId(options.company, '--company <id>', prompts);

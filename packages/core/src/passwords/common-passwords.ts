import { createRequire } from 'node:module';

interface LanguageCommon {
  dictionary: { 'passwords-common': readonly string[] };
}

/**
 * Returns about 49,000 of the most common passwords, in lower case. Short ones are included because users add digits to
 * them. Loading takes some tens of milliseconds, so it is done on first use and not at start-up.
 */
export function loadCommonPasswords(): ReadonlySet<string> {
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as LanguageCommon;
  return new Set(dictionary['passwords-common']);
}

import { uiMessages } from '../messages/en/ui.js';
import { pageData } from './page-data.js';
import type { PasswordStrength } from './password-strength.js';

/** Returns the text for the strength of a password that is long enough. */
export function strengthText({ level, weakness }: PasswordStrength): string {
  const { common, commonHere, likeEmail, weak, fair, good, strong } = uiMessages.strength;
  if (weakness === 'too_common') return pageData.allowsCommonHere ? commonHere : common;
  if (weakness === 'like_email') return likeEmail;
  return [weak, fair, good, strong][level - 1] ?? weak;
}

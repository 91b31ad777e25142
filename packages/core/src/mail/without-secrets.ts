/** Addresses, and secrets of ours: four characters of prefix, then at least 128 bits in base64url. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/gi;
const SECRET = /\blk[a-z]_[\w-]{22,}/g;

/**
 * Returns the reply of a mail server without secrets, fit for logs and tables: spam filters quote the link that they
 * reject, and that link may still work.
 */
export const withoutSecrets = (text: string): string =>
  text.replace(ADDRESS, '[address]').replace(SECRET, '[secret]');

/** Returns a text that LIKE matches literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

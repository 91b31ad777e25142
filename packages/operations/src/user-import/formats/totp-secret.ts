/** The bounds of `importRecord`: 10 to 65 bytes. */
const BASE32 = /^[A-Z2-7]{16,104}$/;

/** Returns base32 in capital letters without padding; undefined for a text that is none of a usable length. */
export function base32SecretOf(text: string): string | undefined {
  const secret = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  return BASE32.test(secret) && !isCutOff(secret.length) ? secret : undefined;
}

/** Reports lengths that no whole number of bytes has. */
const isCutOff = (length: number): boolean => [1, 3, 6].includes(length % 8);

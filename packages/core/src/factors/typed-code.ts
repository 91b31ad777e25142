/**
 * What people and programs put between the characters of a code. The minus sign (U+2212) is a symbol for Unicode; other symbols
 * stay: compatible characters of `½` contain one.
 */
const SEPARATORS = /[\s\p{Z}\p{Cf}\p{P}\u2212]/gu;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;

/**
 * Returns a code as it was issued from what a person typed: in compatible characters (NIST SP 800-63B, section 5.1.1.2, asks this
 * of passwords), with the digits of any script as `0` to `9`, without spaces, hyphens and invisible characters.
 */
export function typedCode(text: string): string {
  return text.normalize('NFKC').replaceAll(SEPARATORS, '').replaceAll(OTHER_DIGIT, asciiDigit);
}

/** Unicode keeps the ten digits of a script together, in order. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && IS_DIGIT.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}

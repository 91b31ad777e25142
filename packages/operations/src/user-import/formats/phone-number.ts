/** A phone number as `importRecord` takes it. */
interface PhoneNumber {
  phonePrefix?: string;
  phoneNumber?: string;
}

const SEPARATORS = /[\s().\-/\u00A0]/g;
/** ITU-T E.164 section 6: at most 15 digits with the country code. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * The country codes of the list to ITU-T E.164: no code is the start of another, so the split is certain. Ranges of
 * codes that are not assigned (28x, 83x, 89x) are missing.
 */
const COUNTRY_CODE =
  /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[0578]\d|9[679]\d)(\d{4,})$/;

/** Returns the two fields of a number with its country code; a number that cannot be split is noted and left out. */
export function phoneFields(value: string | undefined, notes: string[]): PhoneNumber {
  if (value === undefined) return {};
  const digits = value.replace(SEPARATORS, '');
  const [, code, rest] = COUNTRY_CODE.exec(E164.test(digits) ? digits : '') ?? [];
  if (code !== undefined && rest !== undefined) return { phonePrefix: `+${code}`, phoneNumber: rest };
  notes.push('The phone number is not a complete number with a country code and is left out.');
  return {};
}

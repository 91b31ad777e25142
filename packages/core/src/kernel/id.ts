import { uuidv7 } from 'uuidv7';

/**
 * Returns a new UUIDv7 (RFC 9562 section 5.7): ordered by time, so new rows land at the end of every index. Random bytes are drawn
 * for many ids at once, which an import notices.
 */
export const newId = (): string => uuidv7();

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns true for 8-4-4-4-12 hexadecimal digits of any version and any case; false with braces or `urn:`.
 * @example
 * ```ts
 * isUuid('018F4E6E-0000-7000-8000-00000000000A'); // → true
 * isUuid('urn:uuid:018f4e6e-0000-7000-8000-00000000000a'); // → false
 * ```
 */
export const isUuid = (text: string): boolean => UUID_PATTERN.test(text);

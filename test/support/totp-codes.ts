import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code of so many time steps from now. The service accepts those of one step before and after, each once. */
export type Codes = (steps?: number) => string;

/** Returns the codes of an app that was set up with a key as people read it: RFC 6238, without the library of the service. */
export function authenticatorApp(key: string): Codes {
  const secret = bytesOf(key.replaceAll(/\s/g, ''));
  return (steps = 0) => codeOf(secret, Math.floor(Date.now() / 1000 / STEP_SECONDS) + steps);
}

/** Returns a code that is wrong for five minutes. */
export const wrongCode = (codes: Codes): string => wrongCodes(codes, 1)[0] ?? '';

/** Returns different codes of that kind. */
export function wrongCodes(codes: Codes, count: number): string[] {
  const right = Array.from({ length: 21 }, (_, index) => codes(index - 10));
  const candidates = Array.from({ length: right.length + count }, (_, index) => String(100_000 + index));
  return candidates.filter((code) => !right.includes(code)).slice(0, count);
}

function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The bytes with one bit turned over: bit 0 to 7 of the byte at `index`, which counts from the end when negative. */
export function flippedBit(bytes: Buffer, index: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  const place = index < 0 ? copy.length + index : index;
  copy.writeUInt8(copy.readUInt8(place) ^ (1 << bit), place);
  return copy;
}

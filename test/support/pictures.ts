import { crc32, deflateSync } from 'node:zlib';

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** Pictures of 40 × 32 pixels that Chromium has made, without metadata. */
export const PICTURES = {
  jpeg: base64(
    '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBD' +
      'ARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAgACgD' +
      'ASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAUGBwT/xAAyEAABAQMFDwUBAAAAAAAAAAAAEQQSEwECBRVkAwYUFiNCRFGC' +
      'oqPC0eHiIUFDU2HB/8QAGAEBAAMBAAAAAAAAAAAAAAAABAACAwX/xAAiEQACAwABAgcAAAAAAAAAAAABAgADERIT8AQUITFBcfH/' +
      '2gAMAwEAAhEDEQA/AKymaXqqDkIsV7PdRE/JdYsxusPF8Qvy0Pb5SWnzpZEQy1i/EGdOqmnoCxxv7KnG6w8XxKcy1+drLCs2z7t2' +
      'TobpS59zB+Kelc6Yzv7lEAuolquzTFjT3nUT0kk1gRl4nDDg6Nim/LQ9vlJW6+xqJxt7DhkPKOOLmqqp0KIoFnImL80RT0gve7M3' +
      'KcbVJaNzuFSWjc7jBYg+YGzk+ekKB+fZ/oHWwMOBxMo++maiIvUA9hBYkSyAhcM//9k=',
  ),
  lossy: base64(
    'UklGRsIAAABXRUJQVlA4ILYAAAAQBwCdASooACAAPtFWokwoJKMiMBVdUQAaCWoAeMYzN8d2R5//z/+lxjvwF/rNxAn+Y3AqLenl' +
      'XQ46mdQOIH8VcAD+9gw/s8iYEmRKRL7V1eab/7lEZ3q4o8RCvZ4SozZoJBvbcRkSx2RvakqWGwiEXuXG/TbbTvn61zp4jdOeXoWg' +
      'Fp7iRT7vEkNsBFOtTR2o/Qe1fNhCb9FmThODksyUJrP4DvNMyGtDHLi71dB9SSF70gAAAA==',
  ),
  transparent: base64(
    'UklGRggBAABXRUJQVlA4WAoAAAAQAAAAJwAAHwAAQUxQSCYAAAABFyAQSFKffI2ICAc1bRtBIXkkQ/NueueI/k8AfSPPUn8Alh2a' +
      'AlZQOCC8AAAAEAYAnQEqKAAgAD7BUJ5Lp6UiobVIAPAYCWwAsRuLFSDQGgA5//o/9K79ncFJyLOlnzGDdUaXxAcAAP7h+oHlsNr3' +
      'Trg591SDlkroeqVDcF5PzyiuWcoY4Dg30Hx+TM0/ctEYnOwFpb7K0rhd68X5wEi+32Xv8Ey2PYbeJypEn5U79KaxKQCYSWUJ1KW3' +
      '/gT/VM2E5N+LL+c6SJL18zeWjkhn3/11G3vXauXuJ0FJFNY8VRiuLbOW8r3gAAA=',
  ),
  lossless: base64(
    'UklGRlgAAABXRUJQVlA4TEwAAAAvJ8AHEB8gJCDs9D/yR0iQQharQCDZHyiFtQQERc+ZHoi+9EBNG0mOSS7JI/mpi3VE/wUERRN4' +
      'AQAAAACgtdbaQVWV5AdWhSQb7NsB',
  ),
  png: pngOf(),
};

/** Returns a chunk of a PNG file, with its checksum. */
export function pngChunk(type: string, data: Buffer | string): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

/**
 * Returns a gray picture of this size. @param pixels the size of the data, if it is not that in the header.
 * @param extra chunks before the data.
 */
export function pngOf(
  { width, height }: { width: number; height: number } = { width: 40, height: 32 },
  {
    pixels = { width, height },
    extra = [],
  }: { pixels?: { width: number; height: number }; extra?: Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((pixels.width + 1) * pixels.height, 0x77);
  for (let row = 0; row < pixels.height; row += 1) rows[row * (pixels.width + 1)] = 0;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunks = [
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', ''),
  ];
  return Buffer.concat([signature, ...chunks]);
}

/** Returns a segment of a JPEG file. @param marker its second byte. */
export function jpegSegment(marker: number, data: Buffer | string): Buffer {
  const content = Buffer.from(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Returns a chunk of a WebP file, padded to an even length. */
export function webpChunk(type: string, data: Buffer | string): Buffer {
  const content = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}

/** Returns a WebP file of these chunks. */
export function webpOf(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF'), length, content]);
}

/** Returns the extended header of a WebP file. */
export function webpHeader({
  flags,
  width = 40,
  height = 32,
}: {
  flags: number;
  width?: number;
  height?: number;
}): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

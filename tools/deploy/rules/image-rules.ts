/** Returns the fault of an image name: it must say which version, so that tomorrow's is the same. */
export function faultsOfImage(image: string): string[] {
  const tag = /^[^@]*:(?<tag>[^:/@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(image)?.groups?.tag;
  if (tag === undefined) return [`the image ${image} has no tag`];
  return /^v?\d/.test(tag) ? [] : [`the tag of ${image} names no version`];
}

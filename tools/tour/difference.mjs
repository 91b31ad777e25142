/** Returns the first difference between the output on a page and the actual one, or undefined. */
export function difference(shown, came, at = 'data') {
  if (shown !== null && came !== null && typeof shown === 'object' && typeof came === 'object') {
    const keys = [...new Set([...Object.keys(shown), ...Object.keys(came)])];
    return keys
      .map((key) => difference(shown[key], came[key], `${at}.${key}`))
      .find((found) => found !== undefined);
  }
  if (typeof shown === 'string' && typeof came === 'string' && masked(shown, came)) return undefined;
  return Object.is(shown, came)
    ? undefined
    : `${at}: shown ${JSON.stringify(shown)}, came ${JSON.stringify(came)}`;
}

const KINDS = [
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/,
  /^curl\/[\d.]+$/,
];

/** True for two values of one kind that differ from run to run. A shown `…` matches any rest. */
function masked(shown, came) {
  if (shown.endsWith('…')) return came.startsWith(shown.slice(0, shown.indexOf('…')).slice(0, 4));
  return KINDS.some((kind) => kind.test(shown) && kind.test(came));
}

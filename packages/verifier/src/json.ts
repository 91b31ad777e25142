export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the `data` of a success envelope; undefined for anything else, such as the page of a proxy. */
export function dataOf(body: unknown): Record<string, unknown> | undefined {
  return isObject(body) && body.success === true && isObject(body.data) ? body.data : undefined;
}

/** Returns code and message of an error envelope; undefined for anything else. */
export function errorOf(body: unknown): { code: string; message: string } | undefined {
  if (!isObject(body) || !isObject(body.error)) return undefined;
  const { code, message } = body.error;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}

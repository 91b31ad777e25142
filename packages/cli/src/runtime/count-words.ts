/** Returns a count with its noun: `1 key`, `3 keys`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;

/** Returns the type of an input that varies; the types of the library describe one type at a time. */
export const inputType = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

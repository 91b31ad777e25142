/** The texts of another language: the same names, and functions with the same arguments. */
export type Translation<English> = {
  readonly [Name in keyof English]: English[Name] extends (...args: infer Args) => string
    ? (...args: Args) => string
    : English[Name] extends string
      ? string
      : Translation<English[Name]>;
};

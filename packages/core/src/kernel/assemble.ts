/** Builds one part from others. */
type Recipe = (parts: never) => unknown;

/** The parts that recipes build, under the names of the recipes. */
export type Built<Recipes> = {
  readonly [Name in keyof Recipes]: Recipes[Name] extends (parts: never) => infer Part ? Part : never;
};

/** The parts that a class takes. */
export type PartsOf<Class extends new (parts: never, ...rest: never) => unknown> =
  ConstructorParameters<Class>[0];

/** The recipe of a class. It names the class and not the parts, whose types belong to the file of the class. */
export type Made<Class extends new (parts: never) => unknown> = (
  parts: PartsOf<Class>,
) => InstanceType<Class>;

/** Returns the recipe of a class that takes its parts in one object. */
export const made =
  <Class extends new (parts: never) => unknown>(builds: Class): Made<Class> =>
  (parts) =>
    new builds(parts) as InstanceType<Class>;

/**
 * Builds every part from what is given and from the others, each when another one first needs it. A recipe names the parts that
 * it needs, and the compiler reports the ones that are not there, or are of another type.
 * A recipe must not copy its parts (`{ ...parts }`), which would build all of them.
 * @throws TypeError for parts that need each other.
 */
export function assemble<Given extends object, Recipes extends Record<string, Recipe>>(
  given: Given,
  recipes: Recipes & Record<keyof Recipes, (parts: Given & Built<Recipes>) => unknown>,
): Given & Built<Recipes> {
  const parts = { ...given };
  const begun: string[] = [];
  const build = (name: string, recipe: (parts: Given & Built<Recipes>) => unknown): unknown => {
    if (begun.includes(name)) throw new TypeError(`Parts need each other: ${[...begun, name].join(' → ')}`);
    begun.push(name);
    const value = recipe(parts as Given & Built<Recipes>);
    begun.pop();
    Object.defineProperty(parts, name, { value, enumerable: true });
    return value;
  };
  for (const [name, recipe] of Object.entries(recipes)) {
    Object.defineProperty(parts, name, {
      get: () => build(name, recipe),
      enumerable: true,
      configurable: true,
    });
  }
  // What is wired wrongly throws now, not at the first request.
  for (const name of Object.keys(recipes)) Reflect.get(parts, name);
  return parts as Given & Built<Recipes>;
}

/** Returns the parts with some more or others, which hide those of the same name. Builds none. */
export const withOthers = <Parts extends object, Others extends object>(
  parts: Parts,
  others: Others,
): Omit<Parts, keyof Others> & Others =>
  Object.create(parts, Object.getOwnPropertyDescriptors(others)) as Omit<Parts, keyof Others> & Others;

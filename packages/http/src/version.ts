import manifest from '../package.json' with { type: 'json' };

/** The version of this package; all packages of the product share it. */
export const version: string = manifest.version;

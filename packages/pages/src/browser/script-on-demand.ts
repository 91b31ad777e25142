/** A script that the page loads when it is likely to need it. */
interface ScriptOnDemand<Module> {
  /** The script once it is there. */
  readonly loaded: Module | undefined;
  /** Loads the script. Returns undefined if it cannot be loaded; the next call tries again. */
  load: () => Promise<Module | undefined>;
}

/** Returns a script that is loaded on demand. @param address given by the service, because it changes with the content. */
export function scriptOnDemand<Module>(address: string): ScriptOnDemand<Module> {
  let loaded: Module | undefined;
  let failures = 0;
  return {
    get loaded() {
      return loaded;
    },
    load: async () => {
      // A browser may remember that an address could not be loaded.
      const anew = failures === 0 ? '' : `?retry=${failures}`;
      try {
        loaded ??= (await import(address + anew)) as Module;
      } catch {
        failures += 1;
      }
      return loaded;
    },
  };
}

/** The program that runs the service, as far as the one that looks is the same. */
export interface RuntimeFacts {
  /** `20.19.0` */
  version: string;
  now: Date;
}

export const probeRuntime = (): Promise<RuntimeFacts> =>
  Promise.resolve({ version: process.versions.node, now: new Date() });

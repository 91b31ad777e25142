/** The runtime of the service, provided that this program runs under the same one. */
export interface RuntimeFacts {
  /** `20.19.0` */
  version: string;
  now: Date;
}

export const probeRuntime = (): Promise<RuntimeFacts> =>
  Promise.resolve({ version: process.versions.node, now: new Date() });

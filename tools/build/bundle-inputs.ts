import fs from 'node:fs';
import path from 'node:path';
import type { Options } from 'tsup';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** Adds the files that go into a bundle to `inputs`, so that a caller knows when the bundle is out of date. */
export const recordInputs = (inputs: Set<string>): EsbuildPlugin => ({
  name: 'record-inputs',
  setup: (build) => {
    const folder = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onEnd(({ metafile }) => {
      const files = Object.keys(metafile?.inputs ?? {}).map((input) => path.resolve(folder, input));
      // Modules that a plugin makes up are no files.
      for (const file of files) if (fs.existsSync(file)) inputs.add(file);
    });
  },
});

// The package has declarations that its `exports` hide.
declare module 'esbuild-plugin-license' {
  import type { Plugin } from 'esbuild';

  export interface Dependency {
    packageJson: { name: string; version: string; license?: string };
    licenseText: string;
  }

  export default function licenses(options: {
    banner: string;
    thirdParty: { output: { file: string; template: (dependencies: Dependency[]) => string } };
  }): Plugin;
}

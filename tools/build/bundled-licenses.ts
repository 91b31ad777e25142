import { mkdirSync } from 'node:fs';
import licenses, { type Dependency } from 'esbuild-plugin-license';

/** Writes `THIRD-PARTY-LICENSES.txt` beside a bundle. */
export function bundledLicenses(): ReturnType<typeof licenses> {
  const plugin = licenses({
    banner: '',
    thirdParty: { output: { file: 'THIRD-PARTY-LICENSES.txt', template: licenseTexts } },
  });
  return {
    name: plugin.name,
    setup(build) {
      const { outdir } = build.initialOptions;
      // The plugin writes before the bundle is written, into a folder that a fresh checkout does not have.
      if (outdir !== undefined) mkdirSync(outdir, { recursive: true });
      return plugin.setup(build);
    },
  };
}

/** Lists the packages in the bundle with the texts of their licenses, which most licenses ask for. */
function licenseTexts(dependencies: Dependency[]): string {
  return dependencies
    .filter(({ packageJson }) => !packageJson.name.startsWith('@latchkey/'))
    .map(({ packageJson: { name, version, license }, licenseText }) =>
      [`${name} ${version} (${license ?? 'no license named'})`, licenseText.trim()].join('\n\n'),
    )
    .join('\n\n---\n\n');
}

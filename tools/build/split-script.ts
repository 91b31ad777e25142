import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';

interface SplitScript {
  /** The name of the script that a page loads first. */
  name: string;
  /** The source of the script that it loads on demand, and the name of that script. */
  later: { source: string; name: string };
  source: string;
  outDir: string;
}

/**
 * Builds a script of a page in two files: one that the page loads, and one that it loads on demand. What both need is in the first one,
 * from which the second one imports it. A bundler would put it into a third file, which every page would wait for.
 */
export async function buildSplitScript(
  { name, later, source, outDir }: SplitScript,
  options: BuildOptions,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-script-'));
  try {
    const entryPoints = { [name]: source, [later.name]: later.source };
    await build({ ...options, entryPoints, outdir: folder, splitting: true, chunkNames: 'shared-[hash]' });
    const shared = readdirSync(folder).filter((file) => file.startsWith('shared-'));
    const [file = ''] = shared;
    if (shared.length !== 1) throw new Error(`${name} and ${later.name} share ${shared.length} files`);
    const contents = `import './${name}.js';\nexport * from './${file}';`;
    const { plugins: _, ...rest } = options;
    const outfile = path.join(outDir, `${name}.js`);
    await build({ ...rest, stdin: { contents, resolveDir: folder }, outfile });
    const onDemand = readFileSync(path.join(folder, `${later.name}.js`), 'utf8');
    writeFileSync(path.join(outDir, `${later.name}.js`), onDemand.replaceAll(`./${file}`, `./${name}.js`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

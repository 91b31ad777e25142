import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const sourceOf = (name: string): string =>
  fileURLToPath(new URL(`../../packages/verifier/src/${name}.ts`, import.meta.url));

const bundle = (name: string, platform: 'browser' | 'neutral') =>
  build({
    entryPoints: [sourceOf(name)],
    bundle: true,
    write: false,
    metafile: true,
    platform,
    format: 'iife',
    globalName: 'latchkey',
    mainFields: ['module', 'main'],
    conditions: ['import', 'default'],
    target: 'es2022',
    logLevel: 'silent',
  });

describe('the bundle of the verifier', () => {
  it.each(['browser', 'neutral'] as const)(
    'a bundle for the platform %s has no module of Node',
    async (platform) => {
      const { metafile, outputFiles } = await bundle('index', platform);
      const imports = Object.values(metafile.inputs).flatMap(({ imports: own }) =>
        own.map(({ path }) => path),
      );
      expect(imports.filter((path) => path.startsWith('node:') || builtinModules.includes(path))).toEqual([]);
      expect(imports.length).toBeGreaterThan(30);
      expect(outputFiles[0]?.text).not.toMatch(/\brequire\(|\bBuffer\b/);
    },
  );

  it('its libraries are jose and the parser of event streams', async () => {
    const { metafile } = await bundle('express', 'neutral');
    const { metafile: main } = await bundle('index', 'neutral');
    const libraries = [...Object.keys(metafile.inputs), ...Object.keys(main.inputs)].flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    expect([...new Set(libraries)].toSorted()).toEqual(['eventsource-parser', 'jose']);
  });

  it('the bundle verifies where only the web platform is present', async () => {
    const { outputFiles } = await bundle('index', 'neutral');
    const web = {
      crypto,
      fetch,
      TextEncoder,
      TextDecoder,
      AbortController,
      URL,
      URLSearchParams,
      performance,
    };
    const timers = { setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, atob, btoa };
    const scope = { ...web, ...timers, Headers, Response, Uint8Array, Error, TypeError, Promise } as Record<
      string,
      unknown
    >;
    const program = `${outputFiles[0]?.text ?? ''}
      (async () => {
        const verifier = await latchkey.createVerifier({
          issuer: 'http://127.0.0.1:1', audience: 'a', credential: { internalApiKey: 'k' }, startStale: true,
        });
        const code = await verifier.authenticateToken('x.y.z').catch((error) => error.code ?? String(error));
        verifier.close();
        return code + ' ' + typeof process;
      })()`;
    expect(await runInNewContext(program, scope)).toBe('unauthorized undefined');
  });
});

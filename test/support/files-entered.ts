import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Returns the sources of the packages in which some work calls a function, in alphabetical order. */
export async function filesEntered(work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result.filter(({ functions }) =>
      functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    );
    const files = entered.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url));
    return [
      ...new Set(files.flatMap((file) => /packages\/[\w-]+\/src\/.*$/.exec(file)?.[0] ?? [])),
    ].toSorted();
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

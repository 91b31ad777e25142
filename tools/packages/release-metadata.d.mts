interface Repository {
  type: string;
  url: string;
  directory?: string;
}

interface RootManifest {
  version?: unknown;
  repository?: Repository | undefined;
  homepage?: string;
}

type PackageManifest = Record<string, unknown> & { folder: string };

export function releaseFaults(
  root: RootManifest,
  manifests: readonly PackageManifest[],
  changelog: string,
): string[];

export function repositoryFields(
  root: { repository: Repository; homepage?: string },
  folder: string,
): { repository: Repository; homepage: string; bugs: { url: string } };

import { spawnSync } from 'node:child_process';
import { root } from '../shared/repository-files.mjs';

/**
 * The release before this one, until a release has a tag: the last commit of the first preview. Its service does not know
 * the declarations of migrations yet, so it runs on a newer schema only with the newer folder of migrations.
 */
const BEFORE_FIRST_TAG = '8e79643770fb40dcc446d843a5bc6c6de3d2fc5a';

/** A file of every version whose ledger keeps the declarations. */
const KNOWS_DECLARATIONS = 'packages/core/src/storage/migration-header.ts';

/** A file of every version that reads values of later ones as `other`. */
const READS_LATER_VALUES = 'packages/core/src/kernel/open-list.ts';

export interface FormerRelease {
  /** A tag or an abbreviated commit. */
  name: string;
  commit: string;
  /** False: it refuses every newer schema unless it has the newer files. */
  knowsDeclarations: boolean;
  /** False: its lists fail when they meet a value of a later version. */
  readsLaterValues: boolean;
}

/** Runs git in the repository, which may belong to another account; undefined if it fails. */
function git(...words: string[]): string | undefined {
  const args = ['-c', 'safe.directory=*', '-C', root, ...words];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the newest release before this version: the newest tag `v…` among the ancestors of HEAD, else the commit above;
 * undefined without git or in a shallow clone that does not have it.
 */
export function findFormerRelease(): FormerRelease | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD~1');
  const commit = git('rev-parse', '--verify', '--quiet', `${tag ?? BEFORE_FIRST_TAG}^{commit}`);
  if (commit === undefined) return undefined;
  const has = (file: string): boolean => git('cat-file', '-e', `${commit}:${file}`) !== undefined;
  return {
    name: tag ?? commit.slice(0, 7),
    commit,
    knowsDeclarations: has(KNOWS_DECLARATIONS),
    readsLaterValues: has(READS_LATER_VALUES),
  };
}

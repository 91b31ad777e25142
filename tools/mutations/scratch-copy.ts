import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Mutation } from '../../test/mutations/mutation.js';
import { repositoryFiles, root } from '../shared/repository-files.mjs';
import { workspaceModules } from '../shared/workspace-modules.js';

/** A copy of the working tree in a temporary folder, in which defects are planted. The tree itself is never touched. */
export class ScratchCopy {
  readonly folder: string;
  readonly #changed = new Set<string>();

  constructor() {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-mutations-'));
    for (const file of repositoryFiles()) this.#copy(file);
    this.#linkDependencies();
  }

  /**
   * Plants a defect and returns what undoes it.
   * @throws Error unless the text to be replaced occurs exactly once.
   */
  plant({ file, from, to }: Mutation): () => void {
    const target = path.join(this.folder, file);
    const original = fs.readFileSync(target, 'utf8');
    if (original.split(from).length !== 2) throw new Error(`${file}: the text to replace must occur once`);
    const write = (text: string): void => {
      fs.writeFileSync(target, text);
      this.#changed.add(file);
    };
    write(original.replace(from, () => to));
    return () => write(original);
  }

  /** Returns the files that have changed since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  #copy(file: string): void {
    const target = path.join(this.folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(root, file), target);
  }

  /** Links each dependency, but for our own packages, which npm links relative to node_modules: those are the copy's. */
  #linkDependencies(): void {
    for (const modules of ['node_modules', ...workspaceModules()]) {
      const target = path.join(this.folder, modules);
      fs.mkdirSync(target, { recursive: true });
      for (const name of fs.readdirSync(path.join(root, modules))) {
        const source = path.join(root, modules, name);
        if (name === '.vite') continue;
        if (name === '@latchkey')
          fs.cpSync(source, path.join(target, name), { recursive: true, verbatimSymlinks: true });
        else fs.symlinkSync(source, path.join(target, name));
      }
    }
  }
}

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RotationStatus } from '@latchkey/operations/keys';
import { runCliHere, type CliResult } from './cli-process.js';
import { testKeys } from './test-keys.js';

/** The folder of a key rotation, with the first signing key in it, for one test. */
export class KeyFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<KeyFolder> {
    const folder = await KeyFolder.#empty();
    await writeFile(folder.file('signing-key.pem'), testKeys().privateKeyPem, { mode: 0o600 });
    return folder;
  }

  /** A folder of the same content. */
  async copy(): Promise<KeyFolder> {
    const folder = await KeyFolder.#empty();
    await cp(this.path, folder.path, { recursive: true });
    return folder;
  }

  static async #empty(): Promise<KeyFolder> {
    const path = await mkdtemp(join(tmpdir(), 'latchkey-rotation-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return new KeyFolder(path);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** The settings of every step; the second file is there from the first step on. */
  get settings(): Record<string, string> {
    return {
      JWT_SIGNING_KEY_PEM: '',
      JWT_SIGNING_KEY_PEM_FILE: this.file('signing-key.pem'),
      JWT_VERIFICATION_KEYS_PEM_FILE: this.file('verification-keys.pem'),
    };
  }

  /** `latchkey keys rotate` for this folder. */
  rotate(step: string, ...args: string[]): Promise<CliResult> {
    return runCliHere(['keys', 'rotate', step, '--dir', this.path, ...args]);
  }

  /** The same for a step that succeeds. */
  async rotated(step: string, ...args: string[]): Promise<RotationStatus> {
    const { code, stdout, stderr } = await this.rotate(step, '--json', ...args);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as RotationStatus;
  }

  /** As if everything that was noted so far had been noted so much earlier. */
  async wait(seconds: number): Promise<void> {
    const file = this.file('rotation.json');
    const earlier = (text: string) => new Date(Date.parse(text) - seconds * 1000).toISOString();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, earlier));
  }
}

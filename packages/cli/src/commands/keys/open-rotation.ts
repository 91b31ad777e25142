import type { AuthError } from '@latchkey/core';
import type { KeyRotation, RotationStatus } from '@latchkey/operations/keys';
import type { Call } from '../../runtime/call.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { usingFiles } from '../../runtime/file-failure.js';
import { relativeTime } from '../../runtime/relative-time.js';

export interface RotationOptions {
  dir?: string;
}

/** The option of every rotation command. */
export const DIR = ['--dir <folder>', 'the folder of the key files; asked for on a terminal'] as const;

/** Describes the output of `--json` of every rotation command. */
export const ROTATION_JSON = '{ folder, settings, keys, next: { step, possibleAt }, lifetimes }';

/** Opens the rotation of a folder, with the lifetimes of the settings. */
export async function openRotation({ options, prompts }: Call<RotationOptions>): Promise<KeyRotation> {
  const folder = options.dir ?? (await prompts.text('Which folder holds the key files?', '--dir <folder>'));
  const { readSomeSettings } = await import('@latchkey/core/settings');
  const { KeyRotation } = await import('@latchkey/operations/keys');
  const settings = readSomeSettings([
    'ACCESS_TOKEN_TTL',
    'SERVICE_TOKEN_TTL',
    'SESSION_MAX_LIFETIME',
    'REFRESH_TOKEN_PEPPER',
  ]);
  return new KeyRotation(folder, {
    accessTokenTtl: settings.ACCESS_TOKEN_TTL,
    serviceTokenTtl: settings.SERVICE_TOKEN_TTL,
    sessionMaxLifetime: settings.SESSION_MAX_LIFETIME,
    hasPepper: settings.REFRESH_TOKEN_PEPPER !== undefined,
  });
}

/** Runs a step; a rejection comes with the next step. */
export async function tried(
  rotation: KeyRotation,
  step: () => Promise<RotationStatus>,
): Promise<RotationStatus> {
  try {
    return await usingFiles(rotation.folder, step);
  } catch (error) {
    if (!isAuthError(error) || error.code !== 'conflict') throw error;
    const status = await rotation.status();
    throw new CommandError(EXIT.failed, error.message, hintFor(status));
  }
}

/** Returns the status of a rotation. @throws CommandError without a signing key. */
export async function statusOf(rotation: KeyRotation): Promise<RotationStatus> {
  try {
    return await usingFiles(rotation.folder, () => rotation.status());
  } catch (error) {
    if (!isAuthError(error) || error.code !== 'not_found') throw error;
    throw new CommandError(
      EXIT.notFound,
      error.message,
      'Put the signing key there under this name, or create one with: latchkey keys generate --out <file>',
    );
  }
}

function hintFor({ next, folder }: RotationStatus): string {
  const { step, possibleAt } = next;
  if (step === 'restart')
    return `When all services are restarted, run: latchkey keys rotate restarted --dir ${folder}`;
  if (possibleAt === null || Date.parse(possibleAt) <= Date.now()) {
    return `See: latchkey keys rotate status --dir ${folder}`;
  }
  return `Possible ${relativeTime(possibleAt)}. --force does it now; see the consequences in the help.`;
}

const isAuthError = (error: unknown): error is AuthError =>
  error instanceof Error && error.name === 'AuthError';

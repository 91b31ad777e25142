import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSigningKey } from '@latchkey/core/keys';
import { take } from '../tour/take.mjs';
import { createHostDatabase } from './host-database.mjs';
import { install } from './installation.mjs';
import { OUTCOMES } from './outcomes.mjs';

/** Timeout for a block of commands: builds of frameworks are slow on a busy machine. */
const BLOCK_TIMEOUT_MS = 240_000;

/**
 * Installs the packages of a recipe, writes its files as on the page, runs its commands and checks the outcome.
 * @returns the seconds that installing and the rest took.
 * @throws Error with the first failure.
 */
export async function tryRecipe(recipe, { tarballs, scratch, server }) {
  const began = performance.now();
  const folder = await install(recipe, tarballs, scratch);
  const installed = performance.now();
  const plainUrl = await createHostDatabase(server, recipe.name);
  const env = {
    DATABASE_URL: plainUrl,
    DATABASE_SCHEMA: 'latchkey',
    APP_DATABASE_URL: plainUrl,
    TEST_DATABASE_URL: server.url,
    JWT_SIGNING_KEY_PEM_FILE: path.join(folder, 'signing-key.pem'),
  };
  writeFileSync(env.JWT_SIGNING_KEY_PEM_FILE, await generateSigningKey());
  const { file, section } = recipe;
  await take({ file, section, ports: [], env, timeoutMs: BLOCK_TIMEOUT_MS }, folder);
  await OUTCOMES[recipe.name]?.({ folder, env, plainUrl });
  const seconds = (from, to) => (to - from) / 1000;
  return { installing: seconds(began, installed), running: seconds(installed, performance.now()) };
}

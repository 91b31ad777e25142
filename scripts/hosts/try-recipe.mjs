import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSigningKey } from '@latchkey/core/keys';
import { take } from '../tour/take.mjs';
import { createHostDatabase } from './host-database.mjs';
import { install } from './installation.mjs';
import { OUTCOMES } from './outcomes.mjs';

/** Milliseconds for a block of commands: builds of frameworks take their time on a busy machine. */
const PATIENCE = 240_000;

/**
 * Installs what the recipe needs, writes its files as the page shows them, runs its commands and looks at the outcome.
 * @returns the seconds that installing and the rest took.
 * @throws Error with what went wrong.
 */
export async function tryRecipe(recipe, { tarballs, scratch, server }) {
  const began = performance.now();
  const folder = await install(recipe, tarballs, scratch);
  const installed = performance.now();
  const { url, plainUrl } = await createHostDatabase(server, recipe.name);
  const env = {
    DATABASE_URL: url,
    APP_DATABASE_URL: plainUrl,
    TEST_DATABASE_URL: server.url,
    JWT_SIGNING_KEY_PEM_FILE: path.join(folder, 'signing-key.pem'),
  };
  writeFileSync(env.JWT_SIGNING_KEY_PEM_FILE, await generateSigningKey());
  const { file, section } = recipe;
  await take({ file, section, ports: [], env, patience: PATIENCE }, folder);
  await OUTCOMES[recipe.name]?.({ folder, env, plainUrl });
  const seconds = (from, to) => (to - from) / 1000;
  return { installing: seconds(began, installed), running: seconds(installed, performance.now()) };
}

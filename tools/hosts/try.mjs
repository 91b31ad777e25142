// Runs the recipes of docs/hosts.md with real installations of frameworks, bundlers and test runners and of the packed
// packages: `npm run hosts:try`, which builds first. `--short` runs those that install within seconds, as `.ci/run`
// does; `--only fastify,hono` runs some.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startTestDatabase } from '@latchkey/testing';
import { pack } from '../packages/packages.mjs';
import { RECIPES } from './recipes.mjs';
import { tryRecipe } from './try-recipe.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' }, short: { type: 'boolean' } } });

function chosen() {
  const names = values.only?.split(',');
  const unknown = names?.find((name) => RECIPES.every((recipe) => recipe.name !== name));
  if (unknown !== undefined) {
    throw new Error(`There is no recipe ${unknown}: ${RECIPES.map(({ name }) => name).join(', ')}.`);
  }
  return RECIPES.filter(({ name, isShort }) => (names ? names.includes(name) : isShort || !values.short));
}

/** Number of concurrent recipes: installing waits for the network and the disk. */
const AT_ONCE = 2;

/** Runs the remaining recipes, one after the other. */
async function tryEach(recipes, surroundings) {
  for (let recipe = recipes.shift(); recipe !== undefined; recipe = recipes.shift()) {
    try {
      const { installing, running } = await tryRecipe(recipe, surroundings);
      const seconds = `${installing.toFixed(1)} s to install, ${running.toFixed(1)} s to run`;
      console.log(`${recipe.name}: works; ${seconds}`);
    } catch (error) {
      console.log(`${recipe.name}: FAILED\n${error.message}`);
      process.exitCode = 1;
    }
  }
}

const scratch = mkdtempSync(path.join(os.tmpdir(), 'latchkey-hosts-'));
let server;
try {
  const recipes = chosen();
  const tarballs = new Map(
    ['core', 'http', 'pages', 'express-adapter', 'testing'].map((name) => [
      name,
      pack(name, scratch).tarball,
    ]),
  );
  server = await startTestDatabase();
  await Promise.all(Array.from({ length: AT_ONCE }, () => tryEach(recipes, { tarballs, scratch, server })));
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  await server?.stop();
  rmSync(scratch, { recursive: true, force: true });
}

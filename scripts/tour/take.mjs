import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, plainEnvironment } from '../ci-environment.mjs';
import { blocksOf } from './blocks.mjs';
import { difference } from './difference.mjs';
import { Service } from './service.mjs';
import { Shell } from './shell.mjs';

function lastAnswer(printed) {
  const line = printed.split('\n').findLast((one) => one.startsWith('{'));
  if (line === undefined) throw new Error(`printed no JSON\n${printed}`);
  return JSON.parse(line);
}

/** Refusals that the page does not show are faults. */
function assertNoRefusal(printed, isShown) {
  const refused = printed.split('\n').find((line) => line.startsWith('{"success":false'));
  if (refused !== undefined && !isShown) throw new Error(`was refused: ${refused}`);
}

/**
 * Takes a tour in a folder in which the packages are found, on ports and with a data folder of its own. `tour.env` is
 * added to the environment of its commands, `tour.patience` are the milliseconds that a block of them may take.
 * @returns how many blocks did what they say.
 * @throws Error with the file and the line of the first that did not.
 */
export async function take(tour, folder) {
  const left = tour.leaves && path.join(folder, tour.leaves);
  if (left && fs.existsSync(left)) throw new Error(`${tour.file}: ${tour.leaves} is in the way`);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-tour-'));
  const ports = new Map();
  for (const port of tour.ports) ports.set(port, await freePort());
  const inRun = (code) =>
    [...ports].reduce(
      (text, [shown, real]) => text.replaceAll(new RegExp(`\\b${shown}\\b`, 'g'), String(real)),
      code,
    );
  const env = plainEnvironment({
    HOST: '127.0.0.1',
    PORT: String(ports.get(3097)),
    DATA_DIR: dataDir,
    ...tour.env,
  });
  const shell = new Shell(folder, env, tour.patience);
  const blocks = blocksOf(tour);
  let service;
  let printed = '';
  try {
    for (const [at, block] of blocks.entries()) {
      try {
        if (block.language === 'json') {
          const found = difference(JSON.parse(inRun(block.code)), lastAnswer(printed), 'answer');
          if (found !== undefined) throw new Error(found);
        } else if (block.run?.startsWith('service')) {
          await service?.stop();
          const cwd = await shell.run('pwd');
          service = new Service(inRun(block.code), cwd, env);
          await service.untilHealthy(ports.get(Number(block.run.split(' ')[1] ?? 3097)));
        } else if (block.run?.startsWith('file ')) {
          const target = path.join(await shell.run('pwd'), block.run.slice('file '.length));
          fs.mkdirSync(path.dirname(target), { recursive: true });
          fs.writeFileSync(target, inRun(block.code));
        } else {
          printed = await shell.run(inRun(block.code));
          assertNoRefusal(printed, blocks[at + 1]?.language === 'json');
        }
      } catch (error) {
        throw new Error(
          `${tour.file}:${block.line}: ${error.message}\n--- the service ---\n${service?.output.slice(-3000)}`,
        );
      }
    }
    return blocks.length;
  } finally {
    shell.close();
    await service?.stop();
    for (const folder of [dataDir, left]) if (folder) fs.rmSync(folder, { recursive: true, force: true });
  }
}

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { plainEnvironment } from '../shared/environment.mjs';
import { freePort } from '../shared/free-port.mjs';
import { blocksOf } from './blocks.mjs';
import { difference } from './difference.mjs';
import { Service } from './service.mjs';
import { Shell } from './shell.mjs';

function lastAnswer(printed) {
  const line = printed.split('\n').findLast((one) => one.startsWith('{'));
  if (line === undefined) throw new Error(`printed no JSON\n${printed}`);
  return JSON.parse(line);
}

/** Throws if a request was rejected and the page does not show that. */
function assertNoRefusal(printed, isShown) {
  const refused = printed.split('\n').find((line) => line.startsWith('{"success":false'));
  if (refused !== undefined && !isShown) throw new Error(`was refused: ${refused}`);
}

/** Runs the blocks of a tour, one after the other. */
class Walk {
  #tour;
  #ports;
  #env;
  #shell;
  #service;
  #printed = '';

  constructor(tour, folder, { ports, dataDir }) {
    this.#tour = tour;
    this.#ports = ports;
    const own = { HOST: '127.0.0.1', PORT: String(ports.get(3097)), DATA_DIR: dataDir };
    this.#env = plainEnvironment({ ...own, ...tour.env });
    this.#shell = new Shell(folder, this.#env, tour.timeoutMs);
  }

  async all(blocks) {
    for (const [at, block] of blocks.entries()) {
      try {
        await this.#one(block, blocks[at + 1]);
      } catch (error) {
        const output = this.#service?.output.slice(-3000);
        throw new Error(
          `${this.#tour.file}:${block.line}: ${error.message}\n--- the service ---\n${output}`,
          {
            cause: error,
          },
        );
      }
    }
  }

  async close() {
    this.#shell.close();
    await this.#service?.stop();
  }

  async #one({ language, run, code: shown }, next) {
    const code = this.#withPorts(shown);
    if (language === 'json') {
      const found = difference(JSON.parse(code), lastAnswer(this.#printed), 'answer');
      if (found !== undefined) throw new Error(found);
    } else if (run?.startsWith('service')) {
      await this.#serve(code, Number(run.split(' ')[1] ?? 3097));
    } else if (run?.startsWith('file ')) {
      const target = path.join(await this.#shell.run('pwd'), run.slice('file '.length));
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, code);
    } else {
      this.#printed = await this.#shell.run(code);
      assertNoRefusal(this.#printed, next?.language === 'json');
    }
  }

  async #serve(code, port) {
    await this.#service?.stop();
    this.#service = new Service(code, await this.#shell.run('pwd'), this.#env);
    await this.#service.untilHealthy(this.#ports.get(port));
  }

  /** Replaces the ports of the page by those of this run. */
  #withPorts(code) {
    const replace = (text, [shown, real]) => text.replaceAll(new RegExp(`\\b${shown}\\b`, 'g'), String(real));
    return [...this.#ports].reduce(replace, code);
  }
}

/**
 * Runs a tour in a folder in which the packages are found, on its own ports and with its own data folder. `tour.env` is
 * added to the environment of its commands, `tour.timeoutMs` is the timeout for each block.
 * @returns the number of blocks that passed.
 * @throws Error with the file and the line of the first that failed.
 */
export async function take(tour, folder) {
  const left = tour.leaves && path.join(folder, tour.leaves);
  if (left && fs.existsSync(left)) throw new Error(`${tour.file}: ${tour.leaves} is in the way`);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-tour-'));
  const ports = new Map();
  for (const port of tour.ports) ports.set(port, await freePort());
  const walk = new Walk(tour, folder, { ports, dataDir });
  const blocks = blocksOf(tour);
  try {
    await walk.all(blocks);
    return blocks.length;
  } finally {
    await walk.close();
    for (const made of [dataDir, left]) if (made) fs.rmSync(made, { recursive: true, force: true });
  }
}

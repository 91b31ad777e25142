import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Stage, Step } from './dockerfile.js';

/** A stage as far as it has been carried out: its files, and what holds for what is run in it. */
export interface BuiltStage {
  root: string;
  workdir: string;
  environment: Readonly<Record<string, string>>;
  user: string | undefined;
  command: readonly string[];
  healthcheck: readonly string[];
}

export interface BuildContext {
  /** The folder the files come from. */
  folder: string;
  /** Paths in that folder that the builder is given. */
  files: readonly string[];
  /** An empty folder, in which each stage gets one of its own. */
  scratch: string;
  /** The environment of RUN lines, below what the Dockerfile sets. */
  environment: Readonly<Record<string, string>>;
}

/** PATH of an image that says nothing else. */
export const PLAIN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Carries out all stages with the programs of this machine in place of the base image. @returns the last one. */
export function buildStages(stages: readonly Stage[], context: BuildContext): BuiltStage {
  const built = new Map<string, BuiltStage>();
  for (const stage of stages) {
    const root = path.join(context.scratch, stage.name);
    let current = beginStage(root, built.get(stage.base));
    for (const step of stage.steps) current = carryOut(step, current, built, context);
    built.set(stage.name, current);
  }
  const last = built.get(stages.at(-1)?.name ?? '');
  if (!last) throw new Error('The Dockerfile has no stage.');
  return last;
}

function beginStage(root: string, base: BuiltStage | undefined): BuiltStage {
  fs.mkdirSync(root, { recursive: true });
  if (!base) {
    return { root, workdir: '/', environment: {}, user: undefined, command: [], healthcheck: [] };
  }
  copyTree(base.root, root);
  return { ...base, root };
}

function carryOut(
  step: Step,
  stage: BuiltStage,
  built: ReadonlyMap<string, BuiltStage>,
  context: BuildContext,
): BuiltStage {
  switch (step.kind) {
    case 'workdir':
      fs.mkdirSync(path.join(stage.root, step.path), { recursive: true });
      return { ...stage, workdir: path.posix.resolve(stage.workdir, step.path) };
    case 'env':
      return { ...stage, environment: extended(stage.environment, step.values) };
    case 'copy':
      copy(step, stage, built, context);
      return stage;
    case 'run':
      run(step.command, stage, context);
      return stage;
    case 'user':
      return { ...stage, user: step.user };
    case 'healthcheck':
      return { ...stage, healthcheck: step.words };
    case 'cmd':
      return { ...stage, command: step.words };
  }
}

function extended(
  environment: Readonly<Record<string, string>>,
  values: readonly (readonly [string, string])[],
): Record<string, string> {
  const before: Record<string, string> = { PATH: PLAIN_PATH, ...environment };
  const expand = (text: string) => text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => before[name] ?? '');
  return { ...environment, ...Object.fromEntries(values.map(([name, value]) => [name, expand(value)])) };
}

function copy(
  { from, sources, target }: Extract<Step, { kind: 'copy' }>,
  stage: BuiltStage,
  built: ReadonlyMap<string, BuiltStage>,
  context: BuildContext,
): void {
  const goal = path.join(stage.root, path.posix.resolve(stage.workdir, target));
  const into = target.endsWith('/') || sources.length > 1;
  for (const source of sources) {
    if (from === undefined) copyFromContext(source, goal, into, context);
    else copyFromStage(source, goal, into, built.get(from));
  }
}

/** Of a folder, its content is copied; of a file, the file, under its own name when the target is a folder. */
function copyFromContext(source: string, goal: string, into: boolean, context: BuildContext): void {
  const given = context.files.filter((file) => file === source || file.startsWith(`${source}/`));
  if (given.length === 0) throw new Error(`COPY ${source}: the builder is given no such file.`);
  for (const file of given) {
    const place = file === source ? (into ? path.basename(source) : '') : path.relative(source, file);
    const copied = path.join(goal, place);
    fs.mkdirSync(path.dirname(copied), { recursive: true });
    fs.cpSync(path.join(context.folder, file), copied, { verbatimSymlinks: true });
  }
}

function copyFromStage(source: string, goal: string, into: boolean, stage: BuiltStage | undefined): void {
  if (!stage) throw new Error(`COPY ${source}: there is no such stage.`);
  const found = path.join(stage.root, source);
  if (fs.statSync(found).isDirectory()) {
    fs.mkdirSync(goal, { recursive: true });
    copyTree(found, goal);
  } else {
    fs.cpSync(found, into ? path.join(goal, path.basename(source)) : goal);
  }
}

/** The content of a folder, links and modes as they are. */
function copyTree(from: string, to: string): void {
  finish('cp', ['-a', `${from}/.`, to], {});
}

/** A line that reaches outside its stage would change this machine, so it is refused. */
function run(command: string, stage: BuiltStage, context: BuildContext): void {
  if (/(?:^|[\s'"=<>])(?:\/|~|\.\.)/.test(command)) {
    throw new Error(`RUN ${command}: an absolute path cannot be tried outside a container.`);
  }
  const { PATH: _, ...environment } = stage.environment;
  const cwd = path.join(stage.root, stage.workdir);
  finish('sh', ['-c', command], { cwd, env: { ...context.environment, ...environment } });
}

function finish(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv },
) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4000));
}

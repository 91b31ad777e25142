import fs from 'node:fs';
import path from 'node:path';
import { AUDIT_EVENTS } from '@latchkey/core';
import { settingDefinitions } from '../../../packages/core/src/settings/setting-definitions.js';
import { commandLineFault } from './command-line.js';
import type { Fault } from './fault.js';
import { namedFileFault } from './named-files.js';
import type { CodeBlock } from './page.js';
import { isServed } from './service-address.js';
import { shellCommands, syntaxFault, type ShellCommand } from './shell-commands.js';

const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);

/** The address of the service in the samples, and the public address of their installation. */
const SERVICE = /^["']?https?:\/\/(?:(?:localhost|127\.0\.0\.1):3097|auth\.example\.com)(\/[^"']*)?/;

/** Names in front of a command of ours that are no settings of ours. */
const OTHER_NAMES = new Set([
  'NODE_OPTIONS',
  'NODE_ENV',
  'NO_COLOR',
  'CI',
  'CORE_PORT',
  'LATCHKEY_URL',
  'COMPANY_ID',
]);

/** Holds each command of the shell blocks against what it would run. */
export function shellFaults(root: string, blocks: readonly CodeBlock[]): Fault[] {
  const scripts = scriptNames(root);
  return blocks
    .filter(({ language }) => SHELLS.has(language))
    .flatMap((block) => [
      ...syntaxFaults(block),
      ...shellCommands(block.code, block.line).flatMap((command) =>
        commandFaults(root, scripts, command).map((message) => ({
          file: block.file,
          line: command.line,
          message,
        })),
      ),
    ]);
}

/** The scripts of package.json. */
export function scriptNames(root: string): ReadonlySet<string> {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return new Set(Object.keys(manifest.scripts));
}

function syntaxFaults({ file, line, code }: CodeBlock): Fault[] {
  const message = syntaxFault(code);
  return message === undefined
    ? []
    : [{ file, line, message: `the shell does not understand it: ${message}` }];
}

/** Returns what a command names that does not exist. */
export function commandFaults(root: string, scripts: ReadonlySet<string>, command: ShellCommand): string[] {
  const { words, assignments } = command;
  const latchkey = latchkeyWords(words);
  const faults = [
    latchkey && commandLineFault(latchkey),
    latchkey && eventFault(latchkey),
    words[0] === 'npm' && npmFault(words, scripts),
    words[0] === 'curl' && curlFault(words.slice(1)),
    words[0] === 'post' && words[1] !== undefined && addressFault('POST', words[1]),
    words[0] === 'npx' && latchkey === undefined && npxFault(root, words[1] ?? ''),
    ...(latchkey || isStart(words) ? assignments.map(settingFault) : []),
    ...fileWords(words).map((word) => namedFileFault(root, word)),
  ];
  return faults.filter((fault) => typeof fault === 'string');
}

/** `deploy/latchkey` is a file for every program but kubectl, which takes files by an option. */
function fileWords(words: readonly string[]): readonly string[] {
  if (words[0] !== 'kubectl') return words;
  return words.filter((_word, at) => /^(-f|-k|--filename|--kustomize)$/.test(words[at - 1] ?? ''));
}

/** The arguments of a call of the command line, in any of its spellings. */
function latchkeyWords(words: readonly string[]): readonly string[] | undefined {
  if (words[0] === 'latchkey') return words.slice(1);
  if (words[0] === 'npx' && words[1] === 'latchkey') return words.slice(2);
  if (words.slice(0, 3).join(' ') !== 'npm run latchkey') return undefined;
  return words.slice(words[3] === '--' ? 4 : 3);
}

const isStart = ([program, first, second]: readonly string[]): boolean =>
  (program === 'npm' && (first === 'start' || (first === 'run' && second === 'dev'))) ||
  (program === 'node' && first?.startsWith('packages/server/') === true);

/** The command line takes any event, since older rows may have others. */
function eventFault(words: readonly string[]): string | undefined {
  const option = words.indexOf('--event');
  const event = option === -1 ? undefined : words[option + 1];
  return event === undefined || AUDIT_EVENTS.some((one) => one === event)
    ? undefined
    : `there is no event ${event}`;
}

function npmFault(words: readonly string[], scripts: ReadonlySet<string>): string | undefined {
  const rest = words.slice(1).filter((word) => !/^-(?!-$)/.test(word));
  const name = rest[0] === 'run' ? rest[1] : ['start', 'test'].find((script) => script === rest[0]);
  return name === undefined || scripts.has(name) ? undefined : `package.json has no script ${name}`;
}

function npxFault(root: string, program: string): string | undefined {
  const isInstalled = fs.existsSync(path.join(root, 'node_modules/.bin', program));
  return isInstalled || isTried(root, program) ? undefined : `there is no program ${program}`;
}

/** Reports whether the program is a package that `npm run hosts:try` installs. */
function isTried(root: string, program: string): boolean {
  const folder = path.join(root, 'test/hosts');
  return fs.readdirSync(folder).some((name) => {
    const manifest = fs.readFileSync(path.join(folder, name, 'package.json'), 'utf8');
    const { dependencies, devDependencies } = JSON.parse(manifest) as Record<string, object | undefined>;
    return program in { ...dependencies, ...devDependencies };
  });
}

function curlFault(words: readonly string[]): string | undefined {
  const address = words.map((word) => SERVICE.exec(word)).find((found) => found !== null);
  const served = address?.[1];
  return served === undefined ? undefined : addressFault(curlMethod(words), served);
}

function curlMethod(words: readonly string[]): string {
  const named = words.findIndex((word) => /^(-\w*X|--request)$/.test(word));
  if (named !== -1) return words[named + 1] ?? 'GET';
  return words.some((word) => /^(-\w*d|--data|--data-\w+|--json)$/.test(word)) ? 'POST' : 'GET';
}

const addressFault = (method: string, path_: string): string | undefined =>
  isServed(method, path_) ? undefined : `nothing is served at ${method} ${path_}`;

function settingFault(assignment: string): string | undefined {
  const name = assignment.slice(0, assignment.indexOf('='));
  const isKnown = settingDefinitions.some(
    (setting) => name === setting.name || name === `${setting.name}_FILE`,
  );
  return isKnown || OTHER_NAMES.has(name) ? undefined : `there is no setting ${name}`;
}

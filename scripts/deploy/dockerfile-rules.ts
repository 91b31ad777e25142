import { DockerfileParser } from 'dockerfile-ast';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { stagesOf, type Stage, type Step } from '../image/dockerfile.js';
import { faultsOfImage } from './image-rules.js';
import { defaultOf, faultsOfSettings } from './setting-rules.js';

/** What is wrong with a Dockerfile: what a builder would refuse, and what our images must hold to. */
export function faultsOfDockerfile(text: string): string[] {
  const linted = validate(text, { instructionWorkdirRelative: ValidationSeverity.ERROR }).map(
    ({ range, message }) =>
      `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
  if (linted.length > 0) return linted;
  const stages = stagesOf(text);
  return [...faultsOfBases(stages), ...faultsOfLast(stages), ...faultsOfRuns(stages), ...faultsOfPort(text)];
}

function faultsOfBases(stages: readonly Stage[]): string[] {
  const images = stages.map(({ base }) => base).filter((base) => !stages.some(({ name }) => name === base));
  return images.flatMap(faultsOfImage);
}

function faultsOfLast(stages: readonly Stage[]): string[] {
  const steps = stages.at(-1)?.steps ?? [];
  const environment = Object.fromEntries(steps.flatMap((step) => (step.kind === 'env' ? step.values : [])));
  return [
    ...faultsOfUser(steps),
    ...(steps.some(({ kind }) => kind === 'cmd') ? [] : ['the last stage has no CMD']),
    ...(steps.some(({ kind }) => kind === 'healthcheck') ? [] : ['the last stage has no HEALTHCHECK']),
    ...(environment.APP_ENV === 'production' ? [] : ['APP_ENV is not production']),
    ...(environment.NODE_ENV === 'production' ? [] : ['NODE_ENV is not production']),
    ...faultsOfSettings(environment),
  ];
}

/** A number: orchestrators that demand an unprivileged user cannot look up a name. */
function faultsOfUser(steps: readonly Step[]): string[] {
  const user = steps.findLast((step) => step.kind === 'user')?.user ?? 'root';
  return /^[1-9]\d*(?::[1-9]\d*)?$/.test(user) ? [] : [`USER is ${user}, not a number above 0`];
}

/** The same packages each time, and none of them runs code while the image is built. */
function faultsOfRuns(stages: readonly Stage[]): string[] {
  const commands = stages.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'run' ? step.command : [])),
  );
  const careless = /\bnpm (?:i|install)\b|\bnpm ci\b(?!.*--ignore-scripts)|\bcurl\b|\bwget\b/;
  return commands
    .filter((command) => careless.test(command))
    .map((command) => `RUN ${command} is not reproducible`);
}

function faultsOfPort(text: string): string[] {
  const exposed = DockerfileParser.parse(text)
    .getInstructions()
    .filter((instruction) => instruction.getKeyword() === 'EXPOSE')
    .map((instruction) => instruction.getArgumentsContent());
  const port = defaultOf('PORT');
  return exposed.includes(port) ? [] : [`the port ${port} is not exposed`];
}

import { type Cmd, DockerfileParser, Env, Healthcheck, type Dockerfile } from 'dockerfile-ast';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { faultsOfImage } from './image-rules.js';
import { defaultOf, faultsOfSettings } from './setting-rules.js';

/** Returns what a builder would refuse in a Dockerfile, or else what breaks the rules for our images. */
export function faultsOfDockerfile(text: string): string[] {
  const linted = validate(text, { instructionWorkdirRelative: ValidationSeverity.ERROR }).map(
    ({ range, message }) =>
      `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
  if (linted.length > 0) return linted;
  const dockerfile = DockerfileParser.parse(text);
  return [...faultsOfBases(dockerfile), ...faultsOfLastStage(text), ...faultsOfRuns(dockerfile)];
}

function faultsOfBases(dockerfile: Dockerfile): string[] {
  const froms = dockerfile.getFROMs();
  const stages = froms.map((from) => from.getBuildStage());
  // An image may be named by a build argument that has a default.
  const images = froms.map((from) =>
    (from.getImage() ?? '').replace(
      /^\$\{(\w+)\}$/,
      (whole, name: string) => dockerfile.resolveVariable(name, from.getRange().start.line) ?? whole,
    ),
  );
  return images.filter((image) => !stages.includes(image)).flatMap(faultsOfImage);
}

function faultsOfLastStage(text: string): string[] {
  const lastStage = DockerfileParser.parse(text.slice(text.search(/^FROM (?![\s\S]*^FROM )/m)));
  const instructions = lastStage.getInstructions();
  const argumentsOf = (keyword: string) =>
    instructions.findLast((each) => each.getKeyword() === keyword)?.getArgumentsContent() ?? '';
  const properties = instructions.flatMap((each) => (each instanceof Env ? each.getProperties() : []));
  const environment = Object.fromEntries(properties.map((each) => [each.getName(), each.getValue() ?? '']));
  const [cmd, user, port] = [lastStage.getCMDs().at(-1), argumentsOf('USER') || 'root', defaultOf('PORT')];
  return [
    ...(cmd && isExecForm(cmd) ? [] : ['CMD is not in exec form']),
    ...(instructions.some((each) => each instanceof Healthcheck)
      ? []
      : ['the last stage has no HEALTHCHECK']),
    // A number: orchestrators that require an unprivileged user cannot look up a name.
    ...(/^[1-9]\d*(?::[1-9]\d*)?$/.test(user) ? [] : [`USER is ${user}, not a number above 0`]),
    ...(argumentsOf('EXPOSE') === port ? [] : [`the port ${port} is not exposed`]),
    ...['APP_ENV', 'NODE_ENV']
      .filter((name) => environment[name] !== 'production')
      .map((name) => `${name} is not production`),
    ...faultsOfSettings(environment),
  ];
}

/** In shell form, the shell and not the process would get the signals. */
const isExecForm = (cmd: Cmd): boolean => cmd.getOpeningBracket() !== null;

/** The same packages each time, and none of them runs code while the image is built. */
function faultsOfRuns(dockerfile: Dockerfile): string[] {
  const careless = /\bnpm (?:i|install)\b|\bnpm ci\b(?!.*--ignore-scripts)|\bcurl\b|\bwget\b/;
  return dockerfile
    .getInstructions()
    .filter((each) => each.getKeyword() === 'RUN')
    .map((each) => each.getArgumentsContent() ?? '')
    .filter((command) => careless.test(command))
    .map((command) => `RUN ${command} is not reproducible`);
}

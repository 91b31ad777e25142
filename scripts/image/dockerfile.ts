import { Arg, Copy, DockerfileParser, Env, From, Keyword, type Instruction } from 'dockerfile-ast';

/** What a Dockerfile says, as far as ours says anything; another instruction is refused. */
export type Step =
  | { kind: 'workdir'; path: string }
  | { kind: 'env'; values: readonly (readonly [name: string, value: string])[] }
  | { kind: 'copy'; from: string | undefined; sources: readonly string[]; target: string }
  | { kind: 'run'; command: string }
  | { kind: 'user'; user: string }
  | { kind: 'healthcheck' | 'cmd'; words: readonly string[] };

export interface Stage {
  name: string;
  /** The name of an earlier stage, or of an image. */
  base: string;
  steps: readonly Step[];
}

const WITHOUT_EFFECT_ON_FILES: readonly string[] = [
  Keyword.ARG,
  Keyword.LABEL,
  Keyword.EXPOSE,
  Keyword.STOPSIGNAL,
];

/** The stages of a Dockerfile in their order. @throws Error for an instruction that is not understood here. */
export function stagesOf(text: string): Stage[] {
  const stages: (Stage & { steps: Step[] })[] = [];
  const defaults = new Map<string, string>();
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction instanceof From) {
      const name = instruction.getBuildStage() ?? String(stages.length);
      stages.push({ name, base: filledIn(instruction.getImage() ?? '', defaults), steps: [] });
    } else if (instruction instanceof Arg && stages.length === 0) {
      const argument = instruction.getProperty();
      if (argument) defaults.set(argument.getName(), argument.getValue() ?? '');
    } else if (!WITHOUT_EFFECT_ON_FILES.includes(instruction.getKeyword())) {
      stages.at(-1)?.steps.push(stepOf(instruction));
    }
  }
  return stages;
}

/** An image that is named by a build argument, as it is named unless the builder is given another one. */
const filledIn = (image: string, defaults: ReadonlyMap<string, string>): string =>
  image.replace(/^\$\{(\w+)\}$/, (text, name: string) => defaults.get(name) ?? text);

function stepOf(instruction: Instruction): Step {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  if (instruction instanceof Env) return { kind: 'env', values: valuesOf(instruction) };
  if (instruction instanceof Copy) return copyOf(instruction, words);
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      return { kind: 'workdir', path: words[0] ?? '' };
    case 'RUN':
      return { kind: 'run', command: instruction.getArgumentsContent() ?? '' };
    case 'USER':
      return { kind: 'user', user: words[0] ?? '' };
    case 'CMD':
      return { kind: 'cmd', words: execForm(instruction) };
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', words: execForm(instruction) };
    default:
      throw new Error(`The Dockerfile holds ${instruction.getKeyword()}, which is not understood here.`);
  }
}

const valuesOf = (env: Env) =>
  env.getProperties().map((property) => [property.getName(), property.getValue() ?? ''] as const);

function copyOf(copy: Copy, words: readonly string[]): Step {
  const from = copy.getFlags().find((flag) => flag.getName() === 'from');
  return {
    kind: 'copy',
    from: from?.getValue() ?? undefined,
    sources: words.slice(0, -1),
    target: words.at(-1) ?? '',
  };
}

/** The words of a command that is written as a JSON array; of HEALTHCHECK, without its CMD. */
export function execForm(instruction: Instruction): string[] {
  const text = instruction.getArgumentsContent()?.replace(/^\s*CMD\s+/, '') ?? '';
  const words: unknown = text.startsWith('[') ? JSON.parse(text) : undefined;
  if (!Array.isArray(words) || words.length === 0) {
    throw new Error(`${instruction.getKeyword()} is not in exec form: ${text}`);
  }
  return words.map(String);
}

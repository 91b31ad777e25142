import type { Group } from './group.js';
import { findNoise } from './noise.js';
import type { Round, Sample } from './sample.js';

export interface RoundPlan {
  rounds: number;
  seconds: number;
}

export interface GroupResult {
  group: Group;
  rounds: Round[];
  /** Reasons for which each round is noisy; none for a quiet one. */
  noise: string[][];
}

/** Seconds that switching from one contestant to the next takes. */
const SWITCH_SECONDS = 0.2;
const WARM_UP_SECONDS = 1;

/**
 * Runs the contestants in turn, in the opposite order every other round, so that changes of the machine's speed affect
 * all of them. Noisy rounds are repeated, at most half as many as were asked for.
 */
export async function runGroup(
  group: Group,
  plan: RoundPlan,
  report: (line: string) => void,
): Promise<GroupResult> {
  const { wanted, seconds } = planOf(group, plan);
  await warmUp(group);
  const rounds: Round[] = [];
  let noise: string[][] = [];
  while (rounds.length < mostRounds(wanted) && quiet(noise) < wanted) {
    rounds.push(await runRound(group, rounds.length, seconds));
    noise = findNoise(rounds, group.baseline);
    report(`${group.name}: round ${rounds.length} of ${wanted}${marks(noise.at(-1) ?? [])}`);
  }
  return { group, rounds, noise };
}

/** Returns the rounds whose figures count: the quiet ones, or all if most are noisy. */
export function countedRounds({ rounds, noise }: GroupResult): Round[] {
  const quietRounds = rounds.filter((_, index) => noise[index]?.length === 0);
  return quietRounds.length * 2 >= rounds.length ? quietRounds : rounds;
}

/** Returns how long a group takes if no round is repeated. */
export function estimateSeconds(group: Group, plan: RoundPlan): number {
  const { wanted, seconds } = planOf(group, plan);
  const warmUpSeconds = group.warmUpSeconds ?? WARM_UP_SECONDS;
  return group.contestants.length * (wanted * (seconds + SWITCH_SECONDS) + warmUpSeconds);
}

const planOf = (group: Group, { rounds, seconds }: RoundPlan) => ({
  wanted: group.rounds ?? rounds,
  seconds: group.seconds ?? seconds,
});

const mostRounds = (wanted: number): number => wanted + Math.ceil(wanted / 2);

const quiet = (noise: readonly string[][]): number => noise.filter((reasons) => reasons.length === 0).length;

async function warmUp({ contestants, warmUpSeconds = WARM_UP_SECONDS }: Group): Promise<void> {
  if (warmUpSeconds === 0) return;
  for (const contestant of contestants) await contestant.run(warmUpSeconds);
}

async function runRound({ contestants }: Group, index: number, seconds: number): Promise<Round> {
  const round: Record<string, Sample> = {};
  const inOrder = index % 2 === 0 ? contestants : contestants.toReversed();
  for (const contestant of inOrder) round[contestant.name] = await contestant.run(seconds);
  return round;
}

const marks = (reasons: readonly string[]): string =>
  reasons.length === 0 ? '' : `, noisy (${reasons.join('; ')})`;

import type { Round, Sample } from './sample.js';
import { median } from './statistics.js';

/** Limits beyond which a round says more about the machine than about the programs. */
export interface NoiseLimits {
  /** Largest deviation of the baseline's throughput from its median. */
  baselineDeviation: number;
  /** Largest share of all cores used by processes outside of the run. */
  otherCpu: number;
  /** Largest share of all cores taken by the host of a virtual machine. */
  stolenCpu: number;
}

const NOISE_LIMITS: NoiseLimits = { baselineDeviation: 0.25, otherCpu: 0.1, stolenCpu: 0.1 };

/** Returns the reasons for which each round is noisy; a quiet round has none. */
export function findNoise(
  rounds: readonly Round[],
  baseline: string,
  limits: NoiseLimits = NOISE_LIMITS,
): string[][] {
  const usual = median(rounds.map((round) => round[baseline]?.perSecond ?? NaN));
  return rounds.map((round) => {
    const deviation = (round[baseline]?.perSecond ?? NaN) / usual - 1;
    const samples = Object.values(round);
    const reasons = [
      ...reason(Math.abs(deviation) > limits.baselineDeviation, `${baseline} ${signed(deviation)}`),
      ...shareReason('other processes', samples, ({ otherCpu }) => otherCpu, limits.otherCpu),
      ...shareReason('stolen', samples, ({ stolenCpu }) => stolenCpu, limits.stolenCpu),
    ];
    return reasons;
  });
}

function shareReason(
  name: string,
  samples: readonly Sample[],
  shareOf: (sample: Sample) => number | undefined,
  limit: number,
): string[] {
  const share = Math.max(...samples.map((sample) => shareOf(sample) ?? 0));
  return reason(share > limit, `${name} ${Math.round(share * 100)} %`);
}

const reason = (applies: boolean, text: string): string[] => (applies ? [text] : []);

const signed = (ratio: number): string => `${ratio > 0 ? '+' : ''}${Math.round(ratio * 100)} %`;

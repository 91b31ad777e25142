const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Returns the seconds of a duration such as `900`, `15m`, `12h` or `30d`; plain digits are seconds. Returns
 * undefined if the text is not a duration.
 * @example
 * ```ts
 * parseDuration('15m'); // → 900
 * parseDuration('soon'); // → undefined
 * ```
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smhd])?$/.exec(text.trim());
  if (!match) return undefined;
  const seconds = Number(match[1]) * (UNIT_SECONDS[match[2] ?? 's'] ?? 1);
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}

/**
 * Returns the shortest text of that many seconds that `parseDuration` reads: `30d`, `90m`, `45s`.
 * @example
 * ```ts
 * durationText(2_592_000); // → '30d'
 * durationText(90); // → '90s'
 * ```
 */
export function durationText(seconds: number): string {
  const [unit, length] = LARGEST_FIRST.find(([, each]) => seconds % each === 0 && seconds >= each) ?? [
    's',
    1,
  ];
  return `${seconds / length}${unit}`;
}

const LARGEST_FIRST = Object.entries(UNIT_SECONDS).reverse();

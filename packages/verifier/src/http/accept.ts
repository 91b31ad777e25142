const ENVELOPE = 'application/json';
export const PROBLEM = 'application/problem+json';

interface MediaRange {
  type: string;
  quality: number;
}

/**
 * Reports whether a client prefers problem details to the envelope (RFC 9110 section 12.5.1). Without `Accept`, for
 * any type, and where both are equal and the envelope is named first, it gets the envelope.
 */
export function prefersProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return false;
  const ranges = accept.split(',').map(readRange);
  const [envelope, problem] = [matchOf(ranges, ENVELOPE), matchOf(ranges, PROBLEM)];
  if (!problem || problem.quality === 0) return false;
  if (!envelope || envelope.quality === 0) return true;
  if (problem.quality !== envelope.quality) return problem.quality > envelope.quality;
  if (problem.specificity !== envelope.specificity) return problem.specificity > envelope.specificity;
  return problem.order < envelope.order;
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number.parseFloat(quality) || 0 };
}

/** Returns the most specific range that includes a type. */
function matchOf(
  ranges: readonly MediaRange[],
  type: string,
): { quality: number; specificity: number; order: number } | undefined {
  const accepted = [type, 'application/*', '*/*'];
  return ranges
    .map(({ type: range, quality }, order) => ({ quality, specificity: -accepted.indexOf(range), order }))
    .filter(({ specificity }) => specificity <= 0)
    .sort((a, b) => b.specificity - a.specificity || b.quality - a.quality || b.order - a.order)[0];
}

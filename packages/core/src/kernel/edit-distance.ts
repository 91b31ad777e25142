/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other
 * (optimal string alignment).
 * @param most infinity is returned for a longer distance, which is found out much sooner.
 */
export function editDistance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  let previousLeast = 0;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = isSwap(from, to, row, column) ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      const distance = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced, swapped);
      current.push(distance);
      least = Math.min(least, distance);
    }
    // The next row derives from this one, or by a swap from the one before it.
    if (Math.min(least, previousLeast + 1) > most) return Number.POSITIVE_INFINITY;
    before = previous;
    previous = current;
    previousLeast = least;
  }
  const distance = at(previous, to.length);
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

const isSwap = (from: string, to: string, row: number, column: number): boolean =>
  row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];

const at = (distances: readonly number[], index: number): number =>
  distances[index] ?? Number.POSITIVE_INFINITY;

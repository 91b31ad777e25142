const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns `640 bytes` or `1.5 MB`: thousands, not 1,024s. */
export function sizeText(bytes: number): string {
  const rank = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const unit = UNITS[rank] ?? 'byte';
  const unitDisplay = rank === 0 ? 'long' : 'short';
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** rank);
}

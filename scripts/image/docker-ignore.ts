interface Pattern {
  expression: RegExp;
  excludes: boolean;
}

/**
 * Whether a path is kept from the builder, by the rules of `.dockerignore`: the last pattern that fits decides, and one
 * that fits a folder fits all in it.
 */
export function dockerIgnore(text: string): (file: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(patternOf);
  return (file) => {
    const places = [file, ...foldersOf(file)];
    const deciding = patterns.findLast(({ expression }) => places.some((place) => expression.test(place)));
    return deciding?.excludes ?? false;
  };
}

function patternOf(line: string): Pattern {
  const excludes = !line.startsWith('!');
  const glob = (excludes ? line : line.slice(1)).replace(/^\.?\//, '').replace(/\/$/, '');
  return { expression: new RegExp(`^${glob.split('/').map(segment).join('')}$`), excludes };
}

/** `**` stands for any number of folders, also none; `*` and `?` for what is within one name. */
function segment(name: string, index: number, names: readonly string[]): string {
  const isLast = index === names.length - 1;
  if (name === '**') return isLast ? '.*' : '(?:[^/]+/)*';
  const literal = name.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return literal.replaceAll('*', '[^/]*').replaceAll('?', '[^/]') + (isLast ? '' : '/');
}

function foldersOf(file: string): string[] {
  const names = file.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

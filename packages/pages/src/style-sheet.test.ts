import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const STYLE = readFileSync(new URL('browser/pages.css', import.meta.url), 'utf8').replace(
  /\/\*[^]*?\*\//g,
  '',
);

/** Properties and values that name a side of the screen: they would be wrong from right to left. */
const PHYSICAL_PROPERTY = /(?:^|-)(?:left|right)(?:-|$)/;
const PHYSICAL_VALUE = /\b(?:left|right)\b/;

function physicalDeclarations(style: string): string[] {
  const declarations = [...style.matchAll(/([a-z-]+)\s*:\s*([^;{}]+);/g)];
  return declarations
    .filter(
      ([, property = '', value = '']) =>
        PHYSICAL_PROPERTY.test(property) || PHYSICAL_VALUE.test(value) || differsBySide(property, value),
    )
    .map(([declaration]) => declaration);
}

/** Reports whether a shorthand of four values has another one at the left than at the right. */
function differsBySide(property: string, value: string): boolean {
  if (!/^(?:margin|padding|inset|border-radius|border-width)$/.test(property)) return false;
  const [, right, , left] = value.trim().split(/\s+(?![^(]*\))/);
  return left !== undefined && left !== right;
}

it('the style sheet of the pages has logical properties only, so it serves both directions', () => {
  expect(physicalDeclarations(STYLE)).toEqual([]);
});

it.each([
  'a { padding-left: 1rem; }',
  'a { left: 0; }',
  'a { text-align: right; }',
  'a { border-top-left-radius: 1px; }',
  'a { margin: 0 1rem 0 2rem; }',
])('the check finds the side in %s', (style) => {
  expect(physicalDeclarations(style)).toHaveLength(1);
});

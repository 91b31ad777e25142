import { describe, expect, it } from 'vitest';
import { displayWidth } from './printable.js';
import { wrapProse } from './wrap.js';

describe('prose on a terminal', () => {
  it('prose is wrapped at words and keeps its indentation', () => {
    const text = 'Next: let the next key sign.\n  By then no verifier holds a key set without it.';
    expect(wrapProse(text, 30)).toBe(
      'Next: let the next key sign.\n  By then no verifier holds a\n  key set without it.',
    );
    expect(wrapProse(text, 80)).toBe(text);
  });

  it('wide letters count twice and colours do not count', () => {
    const wide = '李小龍 李小龍 李小龍 李小龍 李小龍';
    for (const line of wrapProse(wide, 20).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(20);
    expect(wrapProse(wide, 20).split('\n')).toHaveLength(2);
    expect(wrapProse('\u001b[31mred and long enough\u001b[39m', 24)).not.toContain('\n');
  });

  it('shell lines and words longer than a line stay whole', () => {
    const command = '  latchkey keys rotate publish --dir /srv/latchkey/keys';
    expect(wrapProse(command, 30)).toBe(command);
    expect(wrapProse('x'.repeat(60), 30)).toBe('x'.repeat(60));
  });
});

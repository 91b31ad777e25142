import { describe, expect, it } from 'vitest';
import { RecordingTerminal } from '../../../../test/support/recording-terminal.js';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import { Prompts } from './prompts.js';

const KIND: Kind<string> = {
  singular: 'fruit',
  plural: 'fruits',
  list: 'latchkey fruits list',
  describe: (fruit) => fruit,
};

const chosen = (candidates: string[], { tty = false } = {}): Promise<string> =>
  oneOf('ap', candidates, KIND, new Prompts(new RecordingTerminal({ tty }), true));

describe('naming a candidate', () => {
  it('a text that names one candidate finds it', async () => {
    expect(await chosen(['apple'])).toBe('apple');
  });

  it('a text that names no candidate is not found', async () => {
    await expect(chosen([])).rejects.toMatchObject({
      exitCode: 3,
      message: 'There is no fruit ap.',
      hint: 'See: latchkey fruits list',
    });
  });

  it('an ambiguous text is a usage error without control characters, with --yes or not', async () => {
    await expect(chosen(['apple', 'apri\u001b[2Jcot'])).rejects.toMatchObject({
      exitCode: 2,
      message: '2 fruits begin with "ap":\n  apple\n  apri\uFFFD[2Jcot',
      hint: 'Give more of it.',
    });
  });

  it('a text with more candidates than can be listed is a usage error on a terminal, too', async () => {
    const many = Array.from({ length: CANDIDATES }, (_, n) => `apple ${n}`);
    const failure = chosen(many, { tty: true });
    await expect(failure).rejects.toMatchObject({ exitCode: 2 });
    await expect(failure).rejects.toThrow(/^More than 10 fruits begin with "ap":(\n {2}apple \d){10}$/);
  });
});

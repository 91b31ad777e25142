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

describe('a text that', () => {
  it('names one thing is that', async () => {
    expect(await chosen(['apple'])).toBe('apple');
  });

  it('names nothing is not found', async () => {
    await expect(chosen([])).rejects.toMatchObject({
      exitCode: 3,
      message: 'There is no fruit ap.',
      hint: 'See: latchkey fruits list',
    });
  });

  it('names several is wrong usage, consent given or not, and no line of it commands the terminal', async () => {
    await expect(chosen(['apple', 'apri\u001b[2Jcot'])).rejects.toMatchObject({
      exitCode: 2,
      message: '2 fruits begin with "ap":\n  apple\n  apri\uFFFD[2Jcot',
      hint: 'Give more of it.',
    });
  });

  it('names more than can be shown is no choice for a person either', async () => {
    const many = Array.from({ length: CANDIDATES }, (_, n) => `apple ${n}`);
    const failure = chosen(many, { tty: true });
    await expect(failure).rejects.toMatchObject({ exitCode: 2 });
    await expect(failure).rejects.toThrow(/^More than 10 fruits begin with "ap":(\n {2}apple \d){10}$/);
  });
});

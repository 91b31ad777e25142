import { describe, expect, it } from 'vitest';
import { RecordingTerminal } from '../../../../test/support/recording-terminal.js';
import { Output, type ListFormat } from './output.js';

interface Person {
  id: string;
  name: string | null;
  active: boolean;
}

const FORMAT: ListFormat<Person> = {
  noun: 'people',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'NAME', text: ({ name }) => name ?? '' },
  ],
  fields: ['id', 'name', 'active'],
  id: ({ id }) => id,
};

const PEOPLE: Person[] = [
  { id: 'a', name: 'Ada\tLovelace', active: true },
  { id: 'b', name: null, active: false },
];

function listed(
  mode: { json?: boolean; quiet?: boolean },
  { tty = false, total = 2, items = PEOPLE, isTotalExact = true } = {},
) {
  const terminal = new RecordingTerminal({ tty });
  new Output(terminal, { json: false, quiet: false, ...mode }).list({ items, total, isTotalExact }, FORMAT);
  return { stdout: terminal.stdout, stderr: terminal.stderr };
}

describe('a list', () => {
  it('a list is a table on a terminal', () => {
    expect(listed({}, { tty: true }).stdout).toBe('ID  NAME\na   Ada\uFFFDLovelace\nb   \n');
  });

  it('a list without a terminal has the same number of tabs in each line', () => {
    expect(listed({}).stdout).toBe('a\tAda\uFFFDLovelace\ttrue\nb\t\tfalse\n');
  });

  it('a list is only ids with --quiet, and JSON with --json', () => {
    for (const tty of [false, true]) {
      expect(listed({ quiet: true }, { tty }).stdout).toBe('a\nb\n');
      expect(JSON.parse(listed({ json: true }, { tty }).stdout)).toEqual(PEOPLE);
    }
  });

  it('a note reports that a list has more items', () => {
    const { stdout, stderr } = listed({}, { total: 7 });
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toBe('2 of 7 people; --limit and --offset show the others.\n');
    expect(listed({ quiet: true }, { total: 7 }).stderr).toBe('');
  });

  it('a total that is a lower bound has a plus sign', () => {
    const { stderr } = listed({}, { total: 10_000, isTotalExact: false });
    expect(stderr).toBe('2 of 10,000+ people; --limit and --offset show the others.\n');
  });

  it('an empty list is reported on a terminal, and prints nothing elsewhere', () => {
    expect(listed({}, { tty: true, items: [], total: 0 })).toEqual({ stdout: '', stderr: 'No people.\n' });
    expect(listed({}, { items: [], total: 0 })).toEqual({ stdout: '', stderr: '' });
    expect(listed({ json: true }, { items: [], total: 0 }).stdout).toBe('[]\n');
  });
});

describe('an answer', () => {
  const answer = { view: { name: 'a\u001b[2J\u009b' }, text: 'Done.', id: 'x1' };
  const given = (mode: { json: boolean; quiet: boolean }): string => {
    const terminal = new RecordingTerminal();
    new Output(terminal, mode).answer(answer);
    return terminal.stdout;
  };

  it('an answer is a sentence, an id or an object', () => {
    expect(given({ json: false, quiet: false })).toBe('Done.\n');
    expect(given({ json: false, quiet: true })).toBe('x1\n');
    expect(JSON.parse(given({ json: true, quiet: false }))).toEqual(answer.view);
  });

  it('JSON has no control character that a terminal obeys', () => {
    expect(given({ json: true, quiet: false }).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

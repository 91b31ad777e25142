import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Shell } from '../../tools/tour/shell.mjs';

describe('the shell that runs the blocks of pages', () => {
  let shell: Shell;

  beforeAll(() => {
    shell = new Shell('.', { PATH: process.env.PATH });
  });

  afterAll(() => {
    shell.close();
  });

  it('returns what a block prints', async () => {
    await expect(shell.run('echo one\necho two >&2')).resolves.toBe('one\ntwo');
  });

  it('fails a block whose last command fails', async () => {
    await expect(shell.run('echo one\n(exit 3)')).rejects.toThrow('ended with 3\none');
  });

  it('fails a block whose middle command fails, and runs the rest as a terminal does', async () => {
    await expect(shell.run('(exit 3)\n(exit 4)\necho after')).rejects.toThrow('ended with 3\nafter');
  });

  it.each(['(exit 3) | cat', 'found=$(exit 3)\necho after', 'refuse() { return 3; }\nrefuse\necho after'])(
    'fails a block with a failure in a pipe, a substitution or a function: %j',
    async (code) => {
      await expect(shell.run(code)).rejects.toThrow('ended with 3');
    },
  );

  it.each(['! true', 'false && true'])('fails a block that ends with a failed list: %s', async (code) => {
    await expect(shell.run(code)).rejects.toThrow('ended with 1');
  });

  it('fails a block that bash cannot read', async () => {
    const other = new Shell('.', { PATH: process.env.PATH });
    await expect(other.run('echo one )')).rejects.toThrow(/did not end\n.*syntax error/);
  });

  it.each(['if false; then echo one; fi', 'false || true', '! false'])(
    'passes a block that expects a failure: %s',
    async (code) => {
      await expect(shell.run(code)).resolves.toBe('');
    },
  );

  it('passes a block after one that failed, with the variables of the blocks before', async () => {
    await shell.run('name=Ann');
    await expect(shell.run('false')).rejects.toThrow('ended with 1');
    await expect(shell.run('echo "$name"')).resolves.toBe('Ann');
  });
});

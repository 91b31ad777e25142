import { describe, expect, it } from 'vitest';
import { describeInShell, runCli, runInShell, runShell } from '../support/cli-process.js';

/**
 * A part of the package bash-completion, for words without `=` or `:`; `compopt` works while bash completes, not in a
 * script.
 */
const BASH_COMPLETION = `_get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
}
compopt() { :; }`;

/** Returns the words that bash offers when Tab is pressed after these. */
async function completed(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const { code, stdout, stderr } = await runShell(`
    ${BASH_COMPLETION}
    source <(latchkey completion bash)
    COMP_WORDS=(latchkey ${typed}) COMP_CWORD=${words.length}
    __latchkey_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  it.each([
    [['us'], ['users']],
    [
      ['keys', 'rotate', ''],
      ['guide', 'status', 'publish', 'restarted', 'promote', 'retire'],
    ],
    [
      ['users', 'list', '--s'],
      ['--status', '--search', '--sort'],
    ],
    [
      ['users', 'list', '--status', ''],
      ['PENDING', 'APPROVED', 'REJECTED'],
    ],
    [
      ['mail', 'outbox', '--kind', 'passkey'],
      ['passkey_added', 'passkey_removed'],
    ],
    [['completion', 'f'], ['fish']],
    [['users', 'lst'], []],
  ])('completion of %j offers %j', async (words, offered) => {
    expect(await completed(...words)).toEqual(offered);
  });

  it('completion offers every command, and not the hidden one', async () => {
    const commands = await completed('');
    expect(commands).toEqual(expect.arrayContaining(['bootstrap', 'users', 'doctor', 'completion', 'help']));
    expect(commands).not.toContain('complete');
  });
});

describeInShell('fish', 'completion in fish', () => {
  it('completion offers words with their descriptions', async () => {
    const { code, stdout, stderr } = await runInShell(
      ['fish', '--no-config', '-c'],
      `source (latchkey completion fish | psub)
      complete -C 'latchkey us'
      complete -C 'latchkey users list --s'
      complete -C 'latchkey users list --status '`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const words = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(words.map(([word]) => word).sort()).toEqual(
      ['users', '--status', '--search', '--sort', 'PENDING', 'APPROVED', 'REJECTED'].sort(),
    );
    expect(words.find(([word]) => word === 'users')?.[1]).toMatch(/^Create, find/);
  });
});

describeInShell('zsh', 'completion in zsh', () => {
  /** Types into an interactive zsh on a pseudo-terminal, and returns what its line is after the last key. */
  async function typed(keys: string, expected: string): Promise<string> {
    const { code, stdout, stderr } = await runInShell(
      ['zsh', '-f', '-c'],
      `zmodload zsh/zpty
      zpty -b shell zsh -f -i
      zpty -w shell 'autoload -Uz compinit; compinit -u -D; source <(latchkey completion zsh); print LOAD''ED'
      zpty -r -m shell out '*LOADED*'
      zpty -w -n shell $'${keys}'
      zpty -r -m shell out '*${expected}*'
      print -r -- "$out"
      zpty -d shell`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  it('Tab completes a command, an option and a value', async () => {
    expect(await typed('latchkey us\\t', 'latchkey users')).toContain('latchkey users');
    expect(await typed('latchkey users list --sta\\t', 'list --status')).toContain('list --status');
    expect(await typed('latchkey users list --status PEN\\t', 'PENDING')).toContain('PENDING');
  });
});

describe('latchkey completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('completion prints a script for %s', async (shell) => {
    const { code, stdout, stderr } = await runCli(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/latchkey complete '?--'? /);
  });

  it('completion rejects an unknown shell, and lists the known ones', async () => {
    const { code, stdout, stderr } = await runCli(['completion', 'tcsh']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Allowed choices are bash, zsh, fish, powershell');
  });

  it('the hidden command lists values with descriptions, and reads no setting', async () => {
    const env = { DATABASE_URL: 'no address', PORT: 'no number' };
    const { code, stdout, stderr } = await runCli(['complete', '--', 'users', 'cr'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^create\t.+\n:4\n$/);
  });
});

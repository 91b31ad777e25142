import { Argument, Command } from 'commander';
import { wrapped } from '../../runtime/command-options.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const NOTES =
  'Completes commands, options, and values that come from a list: roles, statuses, kinds. It reads no setting and ' +
  'connects to nothing. The script calls latchkey, which must be on the PATH. In bash it needs the package ' +
  'bash-completion.';

const EXAMPLES = `Examples:
  # bash, in ~/.bashrc
  source <(latchkey completion bash)
  # zsh, in ~/.zshrc after compinit
  source <(latchkey completion zsh)
  # fish
  latchkey completion fish > ~/.config/fish/completions/latchkey.fish
  # PowerShell, in $PROFILE
  latchkey completion powershell | Out-String | Invoke-Expression`;

/** Adds `completion`, and the hidden `complete` that its scripts call with the words typed so far. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(SHELLS))
    .description('Print a script that completes commands, options and values in a shell.')
    .addHelpText('after', ({ command }) => `\n${wrapped(command, NOTES)}\n\n${EXAMPLES}`)
    .action(async (shell: string) => {
      const completer = await completerOf(program);
      completer.setup(program.name(), program.name(), shell);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .action(async (words: string[]) => {
      const completer = await completerOf(program);
      completer.parse(words);
    });
}

const OWN = ['completion', 'complete'];

/** Describes the commands to the library, which adds `completion` and `complete` by itself. */
async function completerOf(program: Command) {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  const described = new Command(program.name());
  for (const option of program.options) described.addOption(option);
  for (const command of program.commands) {
    if (!OWN.includes(command.name())) described.addCommand(command);
  }
  return tab(described, { completionCommandName: 'completion' });
}

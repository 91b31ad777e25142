/** Texts of `/first-administrator`, and of the pages that lead to it. */
export const firstRunMessages = {
  title: 'Create the first administrator',
  lead: 'This account can do everything in the console. The page works once, and only on this machine.',
  submit: 'Create administrator',
  submitting: 'Creating administrator…',
  unusable: 'This link does not work',
  unusableText:
    'Open the link that the service printed when it last started: each start prints a new one. Or run {command}.',
  exists: 'There is already an administrator',
  existsText: 'Sign in with that account. It can approve further accounts in the console.',
  hint: 'There is no administrator yet. To create one, open the link that the service printed when it started, or run {command}.',
  hintOfCommand: 'There is no administrator yet. To create one, run {command}.',
  emailTaken:
    'There is already an account with this email. Use another email, or run “npx latchkey bootstrap” to make that account the administrator.',
};

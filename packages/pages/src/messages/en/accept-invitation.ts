/** Texts of `/accept-invitation` that the service renders. */
export const acceptInvitationMessages = {
  title: 'Your invitation',
  opening: 'Opening your invitation…',
  joinHeading: 'Join {company}',
  join: 'Join {company}',
  theCompany: 'the company',
  invitedNewcomer:
    '{inviter} invited you to join as {article} {role}. Choose a password to create your account.',
  invitedAccount:
    "{inviter} invited you to join as {article} {role}. You already have an account: sign in as {email} to join. If you've never set a password, choose {forgotPassword} on the sign-in page.",
  forgotPassword: 'Forgot your password?',
  invitedSignedIn: '{inviter} invited you to join as {article} {role}. You are signed in as {email}.',
  expiry: 'This invitation expires on {expiry}.',
  email: 'Email',
  name: 'Your name',
  password: 'Password',
  createAccount: 'Create account and join',
  creatingAccount: 'Creating your account…',
  signInToJoin: 'Sign in to join',
  signOut: 'Sign out',
  wrongAccountHeading: 'This invitation is for another account',
  wrongAccount: 'You are signed in as {current}, but the invitation was sent to {email}.',
  signOutAndContinue: 'Sign out and continue',
  welcome: 'Welcome to {company}',
  joined: 'You have joined as {article} {role}.',
  joinedSignedOut:
    'You have joined as {article} {role}. Your account needs two-step verification: sign in to set it up.',
  signIn: 'Sign in',
  memberHeading: "You're already a member of {company}",
  member: 'Nothing has changed.',
  expiredHeading: 'This invitation has expired',
  withdrawnHeading: 'This invitation was withdrawn',
  askAgain: 'Ask the person who invited you for a new invitation.',
  cancelledHeading: 'This invitation was cancelled',
  cancelled:
    "The person who invited you cancelled it. If you think that's a mistake, ask them for a new one.",
  acceptedHeading: 'This invitation has already been accepted',
  accepted: 'You can sign in as usual.',
  mailboxHeading: 'Confirm your email first',
  mailbox:
    "There's already an account for {email}, but its email hasn't been confirmed. If the account is yours, sign in to join. If not, or if you're not sure, reset its password, then open the invitation link again.",
  resetPassword: 'Reset password',
  unknownHeading: "This link doesn't work",
  unknown:
    "It's incomplete, or a newer email has replaced it. Open the link in the newest email, or ask for a new invitation.",
  closedHeading: 'This invitation cannot be accepted',
  toSignIn: 'Go to sign-in',
  limitedHeading: 'Too many attempts',
  unreachableHeading: 'The service cannot be reached',
  unreachable: 'Please try again in a few minutes.',
  tryAgain: 'Try again',
  setUpLater: 'Set up later',
};

const ROLES: Partial<Record<string, string>> = {
  ADMIN: 'Admin',
  MEMBER: 'Member',
  TENANT_SUPERADMIN: 'Superadmin',
};

/** Texts of `/accept-invitation` that its script shows. */
export const acceptInvitationScriptMessages = {
  theCompany: 'the company',
  administrator: 'An administrator',
  administratorOf: (company: string): string => `An administrator of ${company}`,
  /** Returns a role in words: `ACCOUNT_MANAGER` is "Account manager". */
  role: (name: string): string =>
    ROLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase().replaceAll('_', ' '),
  /** @param role the role in words. */
  article: (role: string): string => (/^(?:[AEIO]|U(?!ni|se))/.test(role) ? 'an' : 'a'),
};

/** Texts of `/verify-email`. */
export const verifyEmailMessages = {
  title: 'Confirm your email address',
  moment: 'One moment…',
  opening: 'Your link is being opened…',
  about: 'You confirm {email}.',
  email: 'Email',
  confirmLead:
    'Confirm only if you registered yourself. If someone else used your email, choose {notMe} in the mail instead.',
  notMe: 'This was not me',
  confirm: 'Confirm',
  confirming: 'Confirming…',
  passwordHeading: 'Confirm your registration',
  passwordLead:
    "Enter the password you chose when you registered. If you don't remember it, or someone else registered with your email, enter a new one instead.",
  password: 'Password',
  confirmedHeading: 'Your email address is confirmed',
  confirmedLead: 'You can sign in as soon as an administrator has approved your registration.',
  doneHeading: 'Your registration is confirmed',
  doneLead: 'You can now sign in with the password you just entered.',
  signIn: 'Sign in',
  unusableHeading: 'This link has expired or was already used',
  unusableLead:
    "Your registration may already have been confirmed. Try to sign in. If that doesn't work, contact your administrator.",
};

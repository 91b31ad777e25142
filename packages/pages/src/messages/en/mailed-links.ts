const unusableHeading = 'This link no longer works';
const takenHeading = 'This email address has another account';

/** Texts of the pages whose only button sends the token of a mailed link. */
export const mailedLinkMessages = {
  moment: 'One moment…',
  opening: 'Your link is being opened…',
  signIn: 'Sign in',
  changeEmail: {
    title: 'Confirm your new email address',
    heading: 'Use this email address from now on?',
    about: '{email} replaces {account}, the address of your account.',
    lead: "You'll sign in with it, and all mail goes there. All other devices are signed out.",
    button: 'Use this address',
    doneHeading: 'Your email address is changed',
    done: 'Your former address gets a notice. You can close this page, or sign in with the new address.',
    unusableHeading,
    unusable:
      'It has expired, was already used, or was replaced by a newer one. To use this address, request the change again.',
    takenHeading,
    taken: "An account can't use the address of another one. Your email address is unchanged.",
  },
  undoEmailChange: {
    title: 'Restore your email address',
    heading: 'Take your account back?',
    about: '{email} becomes the address of your account again, in place of {account}.',
    lead: "If you didn't change the email address of your account, undo it. All devices are signed out, passkeys are removed, and the password stops working, so you'll choose a new one.",
    button: 'Undo the change',
    doneHeading: 'Your email address is restored',
    done: 'The old password no longer works. Request a link to this address and choose a new one.',
    choosePassword: 'Choose a new password',
    unusableHeading,
    unusable: "It has expired or was already used. If you can't sign in, contact your administrator.",
    takenHeading,
    taken: 'It was given to another account. Contact your administrator.',
  },
  undoDeletion: {
    title: 'Keep your account',
    heading: 'Keep your account?',
    lead: 'Your account is about to be deleted. Keep it, and you can sign in again. If you want it to be deleted, close this page.',
    button: 'Keep my account',
    doneHeading: 'Your account stays',
    done: 'Sign in as before. If it was not you who deleted it, change your password then.',
    unusableHeading,
    unusable:
      'It has expired, was already used, or the account was deleted. If the account still exists, sign in: then you can have the link sent again.',
  },
  rejectRegistration: {
    title: 'Delete a registration',
    heading: 'Did someone else register with your email?',
    lead: "If you didn't register, delete the registration. It can't be used then, and your email address is free again.",
    button: 'This was not me: delete it',
    doneHeading: 'The registration is deleted',
    done: 'Nothing of it is left. You can close this page.',
    unusableHeading,
    unusable:
      "It has expired, or the registration was already confirmed, approved or deleted. If you get more mails about an account that isn't yours, contact the administrator.",
  },
};

/** Texts of fields and buttons that the service renders. */
export const controlMessages = {
  showPassword: 'Show password',
  show: 'Show',
  /** The mark of a field that may stay empty. */
  optional: 'optional',
  minLength: (characters: number): string => `At least ${characters} characters.`,
  continue: 'Continue',
};

/** Texts of fields that scripts show. */
export const controlScriptMessages = {
  show: 'Show',
  hide: 'Hide',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  capsLock: 'Caps Lock is on.',
  /** @param label the label of the field. @param _name its name in requests. */
  missing: (label: string, _name: string): string => `Enter your ${label.toLowerCase()}.`,
  thisField: 'This field',
  tooShort: (characters: number): string => `Use at least ${characters} characters.`,
  notAnEmail: 'Enter a valid email address.',
  tryAgain: 'You can try again.',
  strength: {
    common: 'Easy to guess: it is a common password.',
    likeEmail: 'Easy to guess: it is like your email address.',
    weak: 'Easy to guess. Use more characters.',
    fair: 'Fair. More characters make it stronger.',
    good: 'Good password.',
    strong: 'Strong password.',
  },
};

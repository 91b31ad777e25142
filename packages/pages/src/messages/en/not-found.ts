/** Texts of the page for an unknown address. */
export const notFoundMessages = {
  title: 'Page not found',
  explanation: 'There is no page at this address. Check the address for typing errors, or go on from here.',
  goToApp: 'Go to {host}',
  signIn: 'Sign in',
};

/** Texts of `/console` that the service renders. */
export const consoleMessages = {
  title: 'Console',
};

/** Texts shown while the second step of a sign-in is loaded. */
export const secondStepMessages = {
  heading: 'Two-step verification',
  notLoaded: 'The next step could not be loaded. Check your connection, then try again.',
};

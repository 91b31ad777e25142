/**
 * Rejects Express 4, which ignores rejected promises of handlers and would leave requests hanging. Only the `app` of
 * Express 4 has `del`.
 * @throws TypeError for Express 4.
 */
export function assertExpress5(application: object): void {
  if ('del' in application) {
    throw new TypeError(
      'createAuthRouter requires Express 5, but this app is Express 4: npm install express@5',
    );
  }
}

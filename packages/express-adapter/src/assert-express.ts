/**
 * The adapter is written for Express 5, which hands on what a promise rejects with; Express 4 would leave requests
 * hanging. Only the `app` of Express 4 has `del`.
 * @throws TypeError for Express 4.
 */
export function assertExpress5(application: object): void {
  if ('del' in application) {
    throw new TypeError('createAuthRouter needs Express 5, and this is Express 4: npm install express@5');
  }
}

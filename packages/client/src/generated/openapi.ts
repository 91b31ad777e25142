// Generated from docs/openapi.json by `npm run docs`.
export interface paths {
  '/auth/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the signed-in user
     * @description Profile, roles and memberships, and the session of the access token.
     */
    get: operations['getMe'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the profile of the signed-in user
     * @description An empty string clears a phone number, picture or language. At least one field is required.
     */
    patch: operations['updateMe'];
    trace?: never;
  };
  '/auth/me/access': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the access of the caller in a company
     * @description Modules, permissions and delegation in the company of `x-org`. 403 without an active membership and for an unknown company. 503 while the entitlements of the company are unavailable; try again.
     */
    get: operations['getMyAccess'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew the tokens of a session
     * @description A refresh token can be used once; concurrent requests get the same successor. 401 `session_revoked` for a session that has ended. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response. With `X-Auth-Mode: cookie` the cookie replaces a missing `refreshToken`.
     */
    post: operations['refreshSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with email and password
     * @description Returns a short-lived access token and a refresh token. A sign-in that requires a second factor returns `secondFactor` and no tokens; clients check which one they got, and complete the sign-in at `POST /auth/login/second-factor`, or with a passkey. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['login'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/jwks.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the public keys that verify access tokens
     * @description A JSON Web Key Set (RFC 7517) without the envelope. Verifiers may cache it for five minutes.
     */
    get: operations['getKeySet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Report that the process is alive
     * @description For liveness probes. Checks no dependency.
     */
    get: operations['checkHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Report whether the service is ready
     * @description For readiness probes. Checks every dependency. 503 `not_ready` while one is unavailable and during shutdown.
     */
    get: operations['checkReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign out
     * @description Ends the session of the refresh token. The response is the same for an unknown token. With `X-Auth-Mode: cookie` the cookie replaces a missing `refreshToken`.
     */
    post: operations['logout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register an account
     * @description The account can be used once an administrator has approved it; with `REGISTRATION_APPROVAL=verified` once the link in the mail has been used; with `none` at once.
     */
    post: operations['register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/me/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get everything that is kept about the signed-in user
     * @description One document: profile, memberships, sessions, passkeys and second factors without their keys, devices, mails, invitations, changes of the address, and the audit entries about the user. Of long lists the newest rows are returned; `limits` and `isComplete` say so.
     */
    get: operations['exportMe'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/logout-all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End all sessions of the signed-in user
     * @description Includes the session of the caller.
     */
    post: operations['revokeAllMySessions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/logout-others': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End all other sessions of the signed-in user
     * @description The session of the caller stays active.
     */
    post: operations['revokeMyOtherSessions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the active sessions of the signed-in user
     * @description Newest first; `current` marks the session of the caller.
     */
    get: operations['listMySessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session of the signed-in user
     * @description 404 for a session of another user.
     */
    delete: operations['revokeMySession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/password/change': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the password of the signed-in user
     * @description Ends all other sessions and invalidates all reset links. 401 for a wrong current password; ten in a row end the session.
     */
    post: operations['changePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/step-up': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Prove the identity of the signed-in user again
     * @description Takes exactly one proof and raises the session: a new time of the sign-in, and the methods of the proof. Returns an access token with both; the refresh token stays valid. 401 for a wrong proof; ten in a row end the session. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['stepUp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/step-up/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a step-up with a passkey
     * @description Returns the options for `navigator.credentials.get`, for the passkeys of the user. They are bound to the session. 404 for a user without passkeys.
     */
    post: operations['createStepUpOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/password-reset/request': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request a password reset mail
     * @description The response is the same whether or not an account has the address.
     */
    post: operations['requestPasswordReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/password-reset/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set a new password with the token from the mail
     * @description Ends all sessions, removes all passkeys and invalidates other reset links. 400 for a token that is unknown, used or expired, and for a password that is too weak.
     */
    post: operations['confirmPasswordReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm an email address with the token from the registration mail
     * @description If staff decide on registrations, the token is enough. Otherwise `password` is required: the password chosen at registration, or a new one, which replaces it. Without it, 400 names the field, and the token stays usable. 400 for a token that is unknown, used or expired, and for a new password that is too weak.
     */
    post: operations['verifyEmail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/verify/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request the mail of a registration again
     * @description The response is the same whether or not an account has the address. A mail is sent while the mailbox is not proved, at most three an hour.
     */
    post: operations['resendVerification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/verify/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete a registration with the second token from its mail
     * @description For the owner of the mailbox who did not register. The registration must still be pending, and not confirmed. 400 for a token that is unknown, used or expired.
     */
    post: operations['rejectRegistration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/change': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request another email address for the signed-in user
     * @description A mail with a link goes to the new address; the response is the same if it is taken. A later request replaces an earlier one, at most three an hour. Requires a sign-in or step-up in the last 15 minutes: otherwise 401 `reauthentication_required`.
     */
    post: operations['requestEmailChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/change/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the email address with the token from the mail to the new one
     * @description Ends all sessions but the one that requested the change, and invalidates reset links. 400 for a token that is unknown, used, expired or replaced; 409 if the address is taken.
     */
    post: operations['confirmEmailChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/email/change/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore the former email address with the token from the notice to it
     * @description Ends all sessions, removes the passkeys and voids the password: the next sign-in requires a password reset. 400 for a token that is unknown, used or expired.
     */
    post: operations['undoEmailChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the invitations of a company
     * @description Newest first, in any status.
     */
    get: operations['listInvitations'];
    put?: never;
    /**
     * Invite an email address to a company
     * @description Sends a mail with a link. The offer cannot exceed what the caller may grant. 409 if an invitation is pending or the user is already a member.
     */
    post: operations['createInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/invitations/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the offer of an invitation
     * @description For the page behind the mailed link. Changes nothing. 404 for a token that is unknown or replaced, 409 for an invitation that is closed.
     */
    get: operations['previewInvitation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/invitations/accept': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Accept an invitation
     * @description If there is no account for the address, creates the user with the password and returns tokens, or `secondFactor` as `POST /auth/login` does. An existing user joins with their account unchanged and gets no tokens. An access token is optional and must belong to the invited user. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['acceptInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/invitations/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an invitation
     * @description For administrators of the company and for the invited user, who may omit `x-org`.
     */
    get: operations['getInvitation'];
    put?: never;
    post?: never;
    /**
     * Cancel an invitation
     * @description Its link stops working.
     */
    delete: operations['cancelInvitation'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/invitations/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an invitation again
     * @description The mail has a new link; the previous one stops working.
     */
    post: operations['resendInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys/register/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start adding a passkey
     * @description Requires the current password. Returns the options for `navigator.credentials.create`. 409 for more than twenty passkeys. Requires a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    post: operations['createPasskeyRegistrationOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys/register/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add a passkey
     * @description Takes the credential that the browser returned. 409 for a passkey that is already registered, and for more than twenty.
     */
    post: operations['verifyPasskeyRegistration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys/login/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a sign-in with a passkey
     * @description Returns the options for `navigator.credentials.get`.
     */
    post: operations['createPasskeyLoginOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys/login/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with a passkey
     * @description Takes the credential that the browser returned. 401 if it is invalid for any reason. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['verifyPasskeyLogin'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the passkeys of the signed-in user
     * @description Newest first.
     */
    get: operations['listPasskeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/passkeys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a passkey
     * @description Sessions that were opened with it stay active. Requires a sign-in or step-up in the last 15 minutes, and a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    delete: operations['removePasskey'];
    options?: never;
    head?: never;
    /**
     * Rename a passkey
     * @description Only the owner sees the name.
     */
    patch: operations['renamePasskey'];
    trace?: never;
  };
  '/auth/login/second-factor': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete a sign-in with a second factor
     * @description Takes the challenge of the sign-in, and a code of an authenticator app or a recovery code. A challenge lasts five minutes, accepts five proofs, and ends when the account changes: 401, sign in again. After 20 wrong codes in an hour the account accepts recovery codes only: 429. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['completeLogin'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/login/second-factor/enrol': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set up the second factor that a sign-in requires
     * @description For a challenge with `enrol`. Returns the secret of a new authenticator app, as text and as QR code. It is not used until it is confirmed.
     */
    post: operations['beginLoginEnrolment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/login/second-factor/enrol/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete a sign-in with a new second factor
     * @description Confirms the authenticator app with a code of it, and returns tokens and recovery codes. Other sign-ins that wait for a second factor end. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['confirmLoginEnrolment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/factors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the second factors of the signed-in user
     * @description Newest first, with the number of unused recovery codes.
     */
    get: operations['listFactors'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/factors/totp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start adding an authenticator app
     * @description Returns the secret as text and as QR code. The app is used once it is confirmed, within ten minutes. 409 for more than five apps. Requires a sign-in or step-up in the last 15 minutes, and a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    post: operations['beginTotpEnrolment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/factors/recovery-codes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create new recovery codes
     * @description The codes before no longer work. 409 without an authenticator app. Requires a sign-in or step-up in the last 15 minutes, and a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    post: operations['renewRecoveryCodes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/factors/totp/{id}/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add an authenticator app
     * @description Takes a code of the app. The first app comes with recovery codes, which are shown this once. Ten wrong codes in a row end the session. Requires a sign-in or step-up in the last 15 minutes, and a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    post: operations['confirmTotpEnrolment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/factors/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a second factor
     * @description Recovery codes are removed with the last one. Requires a sign-in or step-up in the last 15 minutes, and a second factor that was proved in the last 15 minutes, if the user has one: otherwise 401 `reauthentication_required`.
     */
    delete: operations['removeFactor'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/handoff/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a hand-off code
     * @description Another client can exchange the code once, within a short time, for a session of its own. That session belongs to the company of `x-org` and ends with the session that created the code.
     */
    post: operations['createHandoffCode'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/handoff/exchange': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Exchange a hand-off code for a session
     * @description 401 for a code that is invalid, used or expired. With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.
     */
    post: operations['exchangeHandoffCode'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/service-token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a token for a service
     * @description Send client id and secret in the body or as HTTP Basic. Send the token in `X-Service-Token`.
     */
    post: operations['issueServiceToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List users
     * @description Newest first. Filters combine.
     */
    get: operations['listUsers'];
    put?: never;
    /**
     * Create a user
     * @description Approved, active and without a role by default. Without a password, the user cannot sign in until a reset sets one. 409 for an address that is taken. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP` to create a user with a role: otherwise 401 `reauthentication_required`.
     */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a user
     * @description Every user may read themselves.
     */
    get: operations['getUser'];
    put?: never;
    post?: never;
    /**
     * Deactivate a user
     * @description Ends all sessions of the user; the account is kept. 409 for the last active superadmin. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP` unless the user is inactive already: otherwise 401 `reauthentication_required`.
     */
    delete: operations['deactivateUser'];
    options?: never;
    head?: never;
    /**
     * Change a user
     * @description Profile, role, approval and activity. Withdrawing the approval and deactivating end all sessions. 409 for the last active superadmin. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP` to change a role, to deactivate and to withdraw an approval: otherwise 401 `reauthentication_required`.
     */
    patch: operations['updateUser'];
    trace?: never;
  };
  '/internal/users/{id}/factors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the second factors of a user
     * @description Authenticator apps, newest first, and the numbers of unused recovery codes and of passkeys.
     */
    get: operations['getUserFactors'];
    put?: never;
    post?: never;
    /**
     * Remove the second factors of a user
     * @description For a user who has lost them, after the person was identified. Removes authenticator apps, recovery codes and passkeys, ends all sessions, and notifies the user by mail. The reason is kept in the audit log. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP`: otherwise 401 `reauthentication_required`.
     */
    delete: operations['resetUserFactors'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/personal-data': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Erase the personal data of a user
     * @description Overwrites everything personal for good: profile, sign-in, memberships, invitations, mails, and the traces in sessions and the audit log. All sessions end. The id stays as an inactive tombstone that cannot be changed (409 `conflict`, reason `user_erased`); the address is free again. The reason is kept in the audit log, so it must not name the person. A repeated request returns the same. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP`: otherwise 401 `reauthentication_required`.
     */
    delete: operations['eraseUser'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/passkeys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the passkeys of a user
     * @description Newest first. Also while `PASSKEYS_ENABLED` is off.
     */
    get: operations['listUserPasskeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/passkeys/{passkeyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a passkey of a user
     * @description For a device that was lost. Notifies the user by mail; sessions that were opened with the passkey stay active. Requires a sign-in or step-up not longer ago than `STAFF_STEP_UP`: otherwise 401 `reauthentication_required`.
     */
    delete: operations['removeUserPasskey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/password-reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a user the mail that resets the password
     * @description As the user can request it, with the same limit: at most three mails at once, one more every 20 minutes; others are skipped. 409 for a user who may not sign in, and while mail is not configured.
     */
    post: operations['sendPasswordReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/email-verification': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a user the mail that proves the mailbox
     * @description Earlier links stay valid. 409 for a mailbox that is confirmed, for a user who is rejected, deactivated or waits with a role, and while mail is not configured.
     */
    post: operations['sendEmailVerification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/access': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the access of a user in a company
     * @description Like `getMyAccess`, for any user of the company of `x-org`.
     */
    get: operations['getUserAccess'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the active sessions of a user
     * @description Newest first.
     */
    get: operations['listUserSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List active sessions
     * @description All of them, or those of one user, newest first.
     */
    get: operations['listSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/session-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count connected users and active sessions
     * @description A user with several sessions counts once. Beyond about 100,000 sessions both numbers are estimated from a sample, within a few percent; `isEstimate` is then true.
     */
    get: operations['getSessionStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/audit-logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the audit log
     * @description Newest first. The cursor of the next page is in `X-Next-Cursor`; the last page has none. With `tail=true` the list follows the log: entries are oldest first, every response has a cursor, and with it the next response has what was committed since. None is skipped; an entry may repeat, so compare ids.
     */
    get: operations['listAuditEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/mail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the mails of the outbox
     * @description Newest first, with state and attempts, and nothing of their content. Filters combine.
     */
    get: operations['listMail'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/mail/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a mail of the outbox again
     * @description Makes a mail that waits, or was given up, due now. 409 for a mail that was sent or skipped, and while mail is not configured.
     */
    post: operations['retryMail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the invitations of all companies
     * @description Newest first, in any status. `DELETE /auth/invitations/{id}` cancels one and `POST /auth/invitations/{id}/resend` sends it again, with its company in `x-org`.
     */
    get: operations['listAllInvitations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of the service
     * @description Of the replica that answers: its dependencies with latency, unsent mail, the revocation feed, load, version and settings that are not secret. 200 whatever the state.
     */
    get: operations['getHealthReport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/companies/{companyId}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the active members of a company
     * @description With `module`, only members of the page with that module; the total still counts all members.
     */
    get: operations['listCompanyMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/companies/{companyId}/memberships': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add or change a membership of a company
     * @description Omitted fields stay unchanged. `isActive: false` ends the membership and those of the business units of the company.
     */
    post: operations['saveCompanyMembership'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/companies/{companyId}/business-units/{businessUnitId}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the active members of a business unit
     * @description Active members of the company who are active in the unit.
     */
    get: operations['listBusinessUnitMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/companies/{companyId}/business-units/{businessUnitId}/memberships': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add or change a membership of a business unit
     * @description 409 without an active membership of the company, and for a unit of another company.
     */
    post: operations['saveBusinessUnitMembership'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/companies/{companyId}/business-units/{businessUnitId}/finance-memberships/{userId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the finance role of a member of a business unit
     * @description Role, approval limit and primary approver, who must be an `APPROVER`. A new primary replaces the previous one. Users cannot raise their own authority.
     */
    patch: operations['updateBusinessUnitFinance'];
    trace?: never;
  };
  '/internal/companies/{companyId}/finance-memberships/{userId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the finance role of a member of a company
     * @description Role, approval limit and Primary Finance Admin. A new primary replaces the previous one. Users cannot raise their own authority.
     */
    patch: operations['updateCompanyFinance'];
    trace?: never;
  };
  '/internal/companies/{companyId}/company-approval-limit/{userId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Set the approval limit of a member of a company
     * @description A decimal as text; null is unlimited.
     */
    patch: operations['setCompanyApprovalLimit'];
    trace?: never;
  };
  '/internal/companies/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find a company by id, code or name
     * @description 404 without a match, 409 for several equal matches, 503 `finance_db_not_configured` without a finance database.
     */
    get: operations['resolveCompany'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/context': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a user with all memberships
     * @description The user, the memberships of companies and those of business units.
     */
    get: operations['getUserContext'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/users/{id}/revoke-all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End all sessions of a user
     * @description Staff may do this for users below their own role, and every user for themselves.
     */
    post: operations['revokeUserSessions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/internal/sessions/{id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a session
     * @description For machines, staff above the role of the user, and the user of the session.
     */
    post: operations['revokeSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Access: {
      modules: string[];
      permissions: string[];
      delegation: components['schemas']['Delegation'];
      metadata: {
        /** Format: uuid */
        companyId: string;
        /** Format: uuid */
        userId: string;
        role: string | null;
        /** @enum {string} */
        globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
        /** @enum {string} */
        accessPolicyMode: 'ENFORCED' | 'LEGACY' | 'SHADOW';
        businessUnitIds: string[];
        entitledModules: string[];
        /** Format: date-time */
        resolvedAt: string;
      };
    };
    Alive: {
      /** @constant */
      status: 'ok';
    };
    AuditEntry: {
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      occurredAt: string;
      event: string;
      /** @enum {string} */
      outcome: 'success' | 'failure' | 'denied';
      actor: string;
      actorUserId: string | null;
      subjectUserId: string | null;
      companyId: string | null;
      sessionId: string | null;
      ipAddress: string | null;
      userAgent: string | null;
      requestId: string | null;
      details: {
        [key: string]: unknown;
      };
    };
    BusinessUnitMembership: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      userId: string;
      /** Format: uuid */
      companyId: string;
      /** Format: uuid */
      businessUnitId: string;
      isActive: boolean;
      financeRole: ('SUBMITTER' | 'APPROVER') | null;
      approvalLimit: string | null;
      isPrimaryApprover: boolean;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    BusinessUnitUser: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      isActive: boolean;
      membership: components['schemas']['BusinessUnitMembership'];
    };
    CompanyMembership: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      userId: string;
      /** Format: uuid */
      companyId: string;
      role: string;
      isActive: boolean;
      approvalLimit: string | null;
      financeRole: ('SUBMITTER' | 'APPROVER') | null;
      isPrimaryFinanceAdmin: boolean;
      moduleGrants: string[];
      permissionGrants: string[];
      delegation: components['schemas']['Delegation'];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    CompanyUser: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      isActive: boolean;
      membership: components['schemas']['CompanyMembership'];
    };
    ConfirmedFactor: {
      factor: components['schemas']['Factor'];
      recoveryCodes?: string[];
    };
    Delegation: {
      canManageUsers: boolean;
      canBuyAddons: boolean;
      grantableModules: string[];
      grantablePermissions: string[];
    };
    DependencyReport: {
      /** @enum {string} */
      name: 'database' | 'redis' | 'finance';
      /** @enum {string} */
      status: 'ok' | 'failed' | 'not_configured';
      isRequired: boolean;
      fault: ('not reachable' | 'read-only') | null;
      latencyMs: number | null;
    };
    EnrolledTokens: {
      accessToken: string;
      refreshToken: string;
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      recoveryCodes: string[];
    };
    /** @description The response with `X-Auth-Mode: cookie`: the tokens are in cookies. */
    EnrolledTokensInCookies: {
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      recoveryCodes: string[];
    };
    ErasedUser: {
      /** @constant */
      status: 'ok';
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      erasedAt: string;
    };
    ExplainedAccess: {
      modules: string[];
      permissions: string[];
      delegation: components['schemas']['Delegation'];
      metadata: {
        /** Format: uuid */
        companyId: string;
        /** Format: uuid */
        userId: string;
        role: string | null;
        /** @enum {string} */
        globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
        /** @enum {string} */
        accessPolicyMode: 'ENFORCED' | 'LEGACY' | 'SHADOW';
        businessUnitIds: string[];
        entitledModules: string[];
        /** Format: date-time */
        resolvedAt: string;
      };
      explanation?: {
        moduleKey: string;
        isEffective: boolean;
        /** @enum {string} */
        reason:
          | 'not_entitled'
          | 'platform_role'
          | 'company_role'
          | 'no_restriction'
          | 'granted'
          | 'not_granted'
          | 'denied';
        /** @enum {string} */
        enforcedReason?:
          | 'not_entitled'
          | 'platform_role'
          | 'company_role'
          | 'no_restriction'
          | 'granted'
          | 'not_granted'
          | 'denied';
      }[];
    };
    Factor: {
      /** Format: uuid */
      id: string;
      /** @constant */
      kind: 'totp';
      name: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      lastUsedAt?: string;
    };
    HandoffCode: {
      code: string;
      expiresIn: number;
    };
    HandoffTokens: {
      accessToken: string;
      refreshToken: string;
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      /** Format: uuid */
      organizationId: string;
    };
    /** @description The response with `X-Auth-Mode: cookie`: the tokens are in cookies. */
    HandoffTokensInCookies: {
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      /** Format: uuid */
      organizationId: string;
    };
    HealthFacts: {
      /** @enum {string} */
      environment: 'development' | 'test' | 'production';
      signingKeyId: string;
      /** @enum {string} */
      store: 'redis' | 'memory';
      /** @enum {string} */
      mailTransport: 'smtp' | 'inbox' | 'off';
      /** @enum {string} */
      entitlements: 'function' | 'core service' | 'none';
      /** @enum {string} */
      secondFactor: 'off' | 'optional' | 'staff' | 'all';
      passkeys: boolean;
      registration: boolean;
      passwordEngine: string;
    };
    HealthReport: {
      /** @enum {string} */
      status: 'ready' | 'not_ready';
      version: string;
      nodeVersion: string;
      /** Format: date-time */
      startedAt: string;
      uptimeSeconds: number;
      dependencies: components['schemas']['DependencyReport'][];
      mail: {
        waiting: number;
        retrying: number;
        failed: number;
        oldestPendingSeconds: number;
      } | null;
      revocationFeed: {
        listeners: number;
        lagSeconds: number;
      };
      hashing: {
        threads: number;
        active: number;
        queued: number;
      };
      databasePool: {
        inUse: number;
        idle: number;
        waiting: number;
        max: number;
      };
      facts: components['schemas']['HealthFacts'];
    };
    Invitation: {
      /** Format: uuid */
      id: string;
      email: string;
      /** Format: uuid */
      companyId: string;
      role: string;
      /** @enum {string} */
      status: 'PENDING' | 'ACCEPTED' | 'CANCELLED' | 'EXPIRED';
      /** Format: uuid */
      invitedByUserId?: string;
      /** Format: uuid */
      acceptedByUserId?: string;
      /** Format: date-time */
      expiresAt: string;
      /** Format: date-time */
      acceptedAt?: string;
      /** Format: date-time */
      cancelledAt?: string;
      /** Format: date-time */
      lastSentAt?: string;
      moduleGrants: string[];
      permissionGrants: string[];
      delegation: components['schemas']['Delegation'];
      metadata?: {
        [key: string]: unknown;
      };
      locale?: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
    };
    InvitationPreview: {
      email: string;
      /** Format: uuid */
      companyId: string;
      companyName?: string;
      role: string;
      inviterName: string | null;
      /** Format: date-time */
      expiresAt: string;
      userExists: boolean;
    };
    InvitationSecondFactor: {
      secondFactor: components['schemas']['SecondFactorChallenge'];
      invitation: components['schemas']['Invitation'];
    };
    InvitationTokens: {
      accessToken: string;
      refreshToken: string;
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      invitation: components['schemas']['Invitation'];
    };
    /** @description The response with `X-Auth-Mode: cookie`: the tokens are in cookies. */
    InvitationTokensInCookies: {
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
      invitation: components['schemas']['Invitation'];
    };
    KeySet: {
      keys: {
        /** @constant */
        kty: 'RSA';
        n: string;
        e: string;
        kid: string;
        /** @constant */
        use: 'sig';
        /** @constant */
        alg: 'RS256';
      }[];
    };
    MachineUser: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      name: string | null;
      phonePrefix?: string;
      phoneNumber?: string;
      profilePictureUrl?: string;
      locale?: string;
      /** @enum {string} */
      authProvider: 'password' | 'google' | 'microsoft' | 'sso' | 'other';
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      isActive: boolean;
      tokenVersion: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** Format: date-time */
      lastLoginAt?: string;
      /** Format: date-time */
      emailVerifiedAt?: string;
      /** Format: date-time */
      erasedAt?: string;
      legacyIds: {
        [key: string]: string;
      };
    };
    Member: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      userId: string;
      /** Format: uuid */
      companyId: string;
      role: string;
      isActive: boolean;
      approvalLimit: string | null;
      financeRole: ('SUBMITTER' | 'APPROVER') | null;
      isPrimaryFinanceAdmin: boolean;
      moduleGrants: string[];
      permissionGrants: string[];
      delegation: components['schemas']['Delegation'];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      user: components['schemas']['UserSummary'];
      businessUnitMemberships: components['schemas']['BusinessUnitMembership'][];
    };
    OutboxMail: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind:
        | 'pending_registration'
        | 'registration_approved'
        | 'registration_rejected'
        | 'password_changed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'new_device'
        | 'role_changed'
        | 'factor_added'
        | 'factor_removed'
        | 'factors_reset'
        | 'recovery_code_used'
        | 'invitation'
        | 'password_reset'
        | 'email_verification'
        | 'email_change'
        | 'email_changed'
        | 'approval_waiting';
      recipient: string;
      /** @enum {string} */
      state: 'waiting' | 'retrying' | 'failed' | 'sent' | 'skipped';
      attempts: number;
      /** Format: date-time */
      createdAt: string;
      nextAttemptAt: string | null;
      sentAt: string | null;
      lastError: string | null;
    };
    OwnFactors: {
      factors: components['schemas']['Factor'][];
      recoveryCodesLeft: number;
      isRequired: boolean;
    };
    OwnProfile: {
      /** Format: uuid */
      id: string;
      email: string;
      name: string | null;
      phonePrefix: string | null;
      phoneNumber: string | null;
      profilePictureUrl?: string;
      locale?: string;
      /** Format: date-time */
      emailVerifiedAt?: string;
      /** Format: uuid */
      sessionId: string;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      roles: string[];
      tokenVersion: number;
      vendorId: null;
      vendorRole: null;
      companyMemberships: components['schemas']['CompanyMembership'][];
      businessUnitMemberships: components['schemas']['BusinessUnitMembership'][];
    };
    OwnSession: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      userId: string;
      email: string;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      ipAddress: string | null;
      userAgent: string | null;
      deviceName: string | null;
      /** @enum {string} */
      origin: 'password' | 'passkey' | 'handoff' | 'minted' | 'invitation';
      parentSessionId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      lastUsedAt: string;
      /** Format: date-time */
      expiresAt: string;
      current: boolean;
    };
    Passkey: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      deviceType: 'singleDevice' | 'multiDevice';
      backedUp: boolean;
      transports: string[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      lastUsedAt?: string;
    };
    PasskeyCreationOptions: {
      rp: {
        id?: string;
        name: string;
      };
      user: {
        id: string;
        name: string;
        displayName: string;
      };
      challenge: string;
      pubKeyCredParams: {
        /** @constant */
        type: 'public-key';
        alg: number;
      }[];
      timeout?: number;
      excludeCredentials?: {
        id: string;
        type: string;
        transports?: string[];
      }[];
      authenticatorSelection?: {
        /** @enum {string} */
        authenticatorAttachment?: 'cross-platform' | 'platform';
        /** @enum {string} */
        residentKey?: 'discouraged' | 'preferred' | 'required';
        requireResidentKey?: boolean;
        /** @enum {string} */
        userVerification?: 'discouraged' | 'preferred' | 'required';
      };
      hints?: string[];
      /** @enum {string} */
      attestation?: 'none' | 'indirect' | 'direct' | 'enterprise';
      extensions?: {
        credProps?: boolean;
      };
    };
    PasskeyMetrics: {
      operations: {
        registrationOptions: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        registrationVerify: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        loginOptions: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        loginVerify: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        list: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        rename: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
        remove: {
          success: number;
          failure: number;
          statuses: {
            [key: string]: number;
          };
        };
      };
    };
    PasskeyRequestOptions: {
      challenge: string;
      timeout?: number;
      rpId?: string;
      /** @enum {string} */
      userVerification?: 'discouraged' | 'preferred' | 'required';
      allowCredentials?: {
        id: string;
        type: string;
        transports?: string[];
      }[];
    };
    PersonalData: {
      /** Format: date-time */
      exportedAt: string;
      profile: components['schemas']['MachineUser'];
      companyMemberships: components['schemas']['CompanyMembership'][];
      businessUnitMemberships: components['schemas']['BusinessUnitMembership'][];
      sessions: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        origin: 'password' | 'passkey' | 'handoff' | 'minted' | 'invitation';
        ipAddress: string | null;
        userAgent: string | null;
        deviceName: string | null;
        /** Format: date-time */
        createdAt: string;
        /** Format: date-time */
        lastUsedAt: string;
        /** Format: date-time */
        expiresAt: string;
        revokedAt: string | null;
        revokeReason:
          | (
              | 'logout'
              | 'logout_all'
              | 'logout_others'
              | 'revoked'
              | 'revoke_all'
              | 'deactivated'
              | 'approval_withdrawn'
              | 'password_changed'
              | 'password_reset'
              | 'refresh_reuse'
              | 'confirmation_failed'
              | 'email_changed'
              | 'email_change_undone'
              | 'factors_reset'
              | 'erased'
            )
          | null;
      }[];
      passkeys: components['schemas']['Passkey'][];
      factors: components['schemas']['Factor'][];
      recoveryCodesLeft: number;
      devices: {
        /** Format: date-time */
        firstUsedAt: string;
        /** Format: date-time */
        lastUsedAt: string;
      }[];
      mails: {
        kind: string;
        recipient: string;
        /** Format: date-time */
        createdAt: string;
        sentAt: string | null;
      }[];
      invitations: {
        /** Format: uuid */
        id: string;
        email: string;
        /** Format: uuid */
        companyId: string;
        role: string;
        /** @enum {string} */
        status: 'PENDING' | 'ACCEPTED' | 'CANCELLED' | 'EXPIRED';
        /** @description True if the user has made the invitation. */
        isOwn: boolean;
        /** Format: date-time */
        createdAt: string;
        acceptedAt: string | null;
      }[];
      emailChanges: {
        newEmail: string;
        oldEmail: string | null;
        /** Format: date-time */
        requestedAt: string;
        confirmedAt: string | null;
      }[];
      auditEntries: {
        /** Format: uuid */
        id: string;
        /** Format: date-time */
        occurredAt: string;
        event: string;
        /** @enum {string} */
        outcome: 'success' | 'failure' | 'denied';
        /** @description `self`, or who acted: another user, a machine, an operator, or anonymous. */
        actor: string;
        companyId: string | null;
        sessionId: string | null;
        ipAddress: string | null;
        userAgent: string | null;
        details: {
          [key: string]: unknown;
        };
      }[];
      /** @description Maximum length of a list; of a longer one the newest rows are returned. */
      limits: {
        auditEntries: number;
        otherLists: number;
      };
      /** @description False if a list has more rows than its limit. */
      isComplete: boolean;
    };
    ProblemDetails: {
      /** Format: uri */
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code:
        | 'validation_error'
        | 'unauthorized'
        | 'session_revoked'
        | 'reauthentication_required'
        | 'forbidden'
        | 'pending_approval'
        | 'registration_rejected'
        | 'account_inactive'
        | 'email_unverified'
        | 'second_factor_required'
        | 'registration_disabled'
        | 'not_found'
        | 'conflict'
        | 'gone'
        | 'rate_limited'
        | 'not_implemented'
        | 'finance_db_not_configured'
        | 'service_unavailable'
        | 'not_ready'
        | 'internal_error';
      /** @enum {string} */
      reason:
        | 'validation_error'
        | 'body_malformed'
        | 'body_too_large'
        | 'content_type_unsupported'
        | 'email_change_token_invalid'
        | 'reset_token_invalid'
        | 'verification_token_invalid'
        | 'unauthorized'
        | 'access_token_outdated'
        | 'account_changed_during_sign_in'
        | 'challenge_invalid'
        | 'client_credentials_wrong'
        | 'code_wrong'
        | 'credentials_wrong'
        | 'current_password_wrong'
        | 'handoff_code_invalid'
        | 'passkey_not_accepted'
        | 'passkey_registration_failed'
        | 'refresh_token_invalid'
        | 'service_client_unknown'
        | 'session_expired'
        | 'session_revoked'
        | 'confirmation_failed'
        | 'reauthentication_required'
        | 'second_factor_missing'
        | 'forbidden'
        | 'company_unknown'
        | 'content_type_not_allowed'
        | 'former_membership_protected'
        | 'internal_key_invalid'
        | 'invitation_for_other_user'
        | 'module_missing'
        | 'not_a_member'
        | 'offer_exceeds_authority'
        | 'origin_not_allowed'
        | 'own_authority'
        | 'permission_missing'
        | 'role_missing'
        | 'scope_missing'
        | 'scope_not_allowed'
        | 'service_clients_not_configured'
        | 'pending_approval'
        | 'registration_rejected'
        | 'account_inactive'
        | 'email_unverified'
        | 'second_factor_required'
        | 'registration_disabled'
        | 'not_found'
        | 'company_not_found'
        | 'endpoint_not_found'
        | 'factor_not_found'
        | 'invitation_not_found'
        | 'mail_not_found'
        | 'membership_not_found'
        | 'passkey_not_found'
        | 'session_not_found'
        | 'user_not_found'
        | 'conflict'
        | 'account_changed'
        | 'business_unit_of_other_company'
        | 'company_ambiguous'
        | 'email_taken'
        | 'factor_limit_reached'
        | 'factor_missing'
        | 'first_factor_missing'
        | 'invitation_accepted'
        | 'invitation_cancelled'
        | 'invitation_expired'
        | 'invitation_withdrawn'
        | 'invited_or_member'
        | 'last_superadmin'
        | 'mail_not_configured'
        | 'mail_not_waiting'
        | 'mailbox_confirmed'
        | 'mailbox_unconfirmed'
        | 'member_already'
        | 'membership_inactive'
        | 'passkey_limit_reached'
        | 'passkey_registered'
        | 'password_changed'
        | 'primary_approver_role'
        | 'record_in_use'
        | 'sign_in_not_allowed'
        | 'user_erased'
        | 'value_taken'
        | 'gone'
        | 'rate_limited'
        | 'account_wait'
        | 'code_limit_reached'
        | 'confirmation_in_progress'
        | 'email_change_limit_reached'
        | 'export_limit_reached'
        | 'invitation_limit_reached'
        | 'not_implemented'
        | 'finance_db_not_configured'
        | 'service_unavailable'
        | 'too_busy'
        | 'not_ready'
        | 'stopping'
        | 'internal_error';
      errors?: {
        pointer: string;
        /** @enum {string} */
        reason:
          | 'required'
          | 'type'
          | 'format'
          | 'too_short'
          | 'too_long'
          | 'too_small'
          | 'too_big'
          | 'not_allowed'
          | 'characters'
          | 'repeated'
          | 'too_common'
          | 'like_email'
          | 'breached';
        message: string;
      }[];
    };
    Profile: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      name: string | null;
      phonePrefix?: string;
      phoneNumber?: string;
      profilePictureUrl?: string;
      locale?: string;
    };
    RaisedToken: {
      accessToken: string;
      expiresIn: number;
    };
    /** @description The response with `X-Auth-Mode: cookie`: the tokens are in cookies. */
    RaisedTokenInCookies: {
      expiresIn: number;
    };
    Readiness: {
      /** @constant */
      status: 'ready';
      checks: {
        /** @enum {string} */
        database: 'ok' | 'not_configured';
        /** @enum {string} */
        redis: 'ok' | 'not_configured';
        /** @enum {string} */
        finance: 'ok' | 'not_configured';
      };
    };
    RecoveryCodes: {
      recoveryCodes: string[];
    };
    Registration: {
      email: string;
      /** @enum {string} */
      status: 'pending' | 'approved';
    };
    ResetFactors: {
      /** @constant */
      status: 'ok';
      removed: {
        totp: number;
        recoveryCodes: number;
        passkeys: number;
      };
      revoked: number;
    };
    ResolvedCompany: {
      /** Format: uuid */
      companyId: string;
      name: string | null;
      raw: string;
    };
    RevocationEntry:
      | {
          /** @constant */
          type: 'session-revoked';
          /**
           * Format: uuid
           * @description The session that has ended: the claim `sid` of its tokens.
           */
          sid: string;
          /**
           * Format: date-time
           * @description Time of the event.
           */
          at: string;
        }
      | {
          /** @constant */
          type: 'token-claims-change';
          /**
           * Format: uuid
           * @description The user: the claim `sub` of the tokens.
           */
          sub: string;
          /** @description Tokens of the user whose claim `tokenVersion` is lower are refused. */
          minTokenVersion: number;
          /**
           * Format: date-time
           * @description Time of the event.
           */
          at: string;
        };
    RevocationPage: {
      /** @description Send it as `after` to continue. Opaque. */
      cursor: string;
      entries: components['schemas']['RevocationEntry'][];
    };
    RevokedCount: {
      /** @constant */
      status: 'ok';
      revoked: number;
    };
    SecondFactorChallenge: {
      challenge: string;
      methods: string[];
      expiresIn: number;
      enrol?: boolean;
    };
    SecondFactorRequired: {
      secondFactor: components['schemas']['SecondFactorChallenge'];
    };
    ServiceToken: {
      serviceToken: string;
      /** @constant */
      tokenType: 'Service';
      expiresIn: number;
      scope: string;
    };
    Session: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      userId: string;
      email: string;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      ipAddress: string | null;
      userAgent: string | null;
      deviceName: string | null;
      /** @enum {string} */
      origin: 'password' | 'passkey' | 'handoff' | 'minted' | 'invitation';
      parentSessionId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      lastUsedAt: string;
      /** Format: date-time */
      expiresAt: string;
    };
    SessionStats: {
      connectedUsers: number;
      activeSessions: number;
      /** @constant */
      isEstimate?: true;
    };
    StatusOk: {
      /** @constant */
      status: 'ok';
    };
    TokenPair: {
      accessToken: string;
      refreshToken: string;
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
    };
    /** @description The response with `X-Auth-Mode: cookie`: the tokens are in cookies. */
    TokenPairInCookies: {
      expiresIn: number;
      /** @constant */
      tokenType: 'Bearer';
    };
    TotpEnrolment: {
      /** Format: uuid */
      id: string;
      secret: string;
      otpauthUri: string;
      qrSvg: string;
      /** Format: date-time */
      expiresAt: string;
    };
    User: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      name: string | null;
      phonePrefix?: string;
      phoneNumber?: string;
      profilePictureUrl?: string;
      locale?: string;
      /** @enum {string} */
      authProvider: 'password' | 'google' | 'microsoft' | 'sso' | 'other';
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      isActive: boolean;
      tokenVersion: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      updatedAt: string;
      /** Format: date-time */
      lastLoginAt?: string;
      /** Format: date-time */
      emailVerifiedAt?: string;
      /** Format: date-time */
      erasedAt?: string;
    };
    UserContext: {
      user: components['schemas']['User'];
      companyMemberships: components['schemas']['CompanyMembership'][];
      businessUnitMemberships: components['schemas']['BusinessUnitMembership'][];
    };
    UserFactors: {
      factors: components['schemas']['Factor'][];
      recoveryCodesLeft: number;
      passkeys: number;
    };
    UserSummary: {
      /** Format: uuid */
      id: string;
      email: string;
      fullName: string | null;
      /** @enum {string} */
      globalRole: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
      /** @enum {string} */
      approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED';
      isActive: boolean;
    };
    /** @description An error. */
    Error: {
      /** @constant */
      success: false;
      error: {
        /**
         * @description Stable. Programs may branch on it.
         * @enum {string}
         */
        code:
          | 'validation_error'
          | 'unauthorized'
          | 'session_revoked'
          | 'reauthentication_required'
          | 'forbidden'
          | 'pending_approval'
          | 'registration_rejected'
          | 'account_inactive'
          | 'email_unverified'
          | 'second_factor_required'
          | 'registration_disabled'
          | 'not_found'
          | 'conflict'
          | 'gone'
          | 'rate_limited'
          | 'not_implemented'
          | 'finance_db_not_configured'
          | 'service_unavailable'
          | 'not_ready'
          | 'internal_error';
        /** @description For people. May change. */
        message: string;
      };
    };
  };
  responses: {
    /** @description The request conflicts with the current state. Codes: `conflict`. */
    Conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'conflict';
          };
        };
      };
    };
    /** @description The body is larger than 100 KiB. Codes: `validation_error`. */
    ContentTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'validation_error';
          };
        };
      };
    };
    /** @description The service or something it depends on is unavailable. Try again. Codes: `finance_db_not_configured`, `service_unavailable`. */
    FinanceDbNotConfiguredOrServiceUnavailable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'finance_db_not_configured' | 'service_unavailable';
          };
        };
      };
    };
    /** @description The request is not allowed. Codes: `forbidden`. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'forbidden';
          };
        };
      };
    };
    /** @description The request is not allowed. Codes: `forbidden`, `pending_approval`, `registration_rejected`, `account_inactive`. */
    ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'forbidden' | 'pending_approval' | 'registration_rejected' | 'account_inactive';
          };
        };
      };
    };
    /** @description The request is not allowed. Codes: `forbidden`, `pending_approval`, `registration_rejected`, `account_inactive`, `email_unverified`. */
    ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?:
              | 'forbidden'
              | 'pending_approval'
              | 'registration_rejected'
              | 'account_inactive'
              | 'email_unverified';
          };
        };
      };
    };
    /** @description The request is not allowed. Codes: `forbidden`, `pending_approval`, `registration_rejected`, `account_inactive`, `second_factor_required`. */
    ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?:
              | 'forbidden'
              | 'pending_approval'
              | 'registration_rejected'
              | 'account_inactive'
              | 'second_factor_required';
          };
        };
      };
    };
    /** @description The request is not allowed. Codes: `forbidden`, `registration_disabled`. */
    ForbiddenOrRegistrationDisabled: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'forbidden' | 'registration_disabled';
          };
        };
      };
    };
    /** @description What the request refers to is no longer available. Codes: `gone`. */
    Gone: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'gone';
          };
        };
      };
    };
    /** @description An internal error of the service. Codes: `internal_error`. */
    InternalError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'internal_error';
          };
        };
      };
    };
    /** @description The resource does not exist, or the caller may not see it. Codes: `not_found`. */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'not_found';
          };
        };
      };
    };
    /** @description The service does not support this. Codes: `not_implemented`. */
    NotImplemented: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'not_implemented';
          };
        };
      };
    };
    /** @description Too many attempts. Codes: `rate_limited`. */
    RateLimited: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'rate_limited';
          };
        };
      };
    };
    /** @description The service or something it depends on is unavailable. Try again. Codes: `service_unavailable`. */
    ServiceUnavailable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'service_unavailable';
          };
        };
      };
    };
    /** @description The service or something it depends on is unavailable. Try again. Codes: `service_unavailable`, `not_ready`. */
    ServiceUnavailableOrNotReady: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'service_unavailable' | 'not_ready';
          };
        };
      };
    };
    /** @description The credentials are missing, wrong or expired, or the session has ended. Codes: `unauthorized`. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'unauthorized';
          };
        };
      };
    };
    /** @description The credentials are missing, wrong or expired, or the session has ended. Codes: `unauthorized`, `session_revoked`. */
    UnauthorizedOrSessionRevoked: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'unauthorized' | 'session_revoked';
          };
        };
      };
    };
    /** @description The credentials are missing, wrong or expired, or the session has ended. Codes: `unauthorized`, `session_revoked`, `reauthentication_required`. */
    UnauthorizedOrSessionRevokedOrReauthenticationRequired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'unauthorized' | 'session_revoked' | 'reauthentication_required';
          };
        };
      };
    };
    /** @description The request is malformed, or a value is invalid. Codes: `validation_error`. */
    ValidationError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error?: {
            /** @enum {string} */
            code?: 'validation_error';
          };
        };
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['OwnProfile'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          fullName?: string;
          phonePrefix?: '' | string;
          phoneNumber?: '' | string;
          profilePictureUrl?: '' | string;
          locale?: '' | ('en' | 'de');
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Profile'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getMyAccess: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Access'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  refreshSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          refreshToken?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['TokenPair'] | components['schemas']['TokenPairInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  login: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          email: string;
          /** Format: password */
          password: string;
          /** @enum {string} */
          accountType?: '' | 'internal' | 'auto' | 'vendor';
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data:
              | components['schemas']['TokenPair']
              | components['schemas']['SecondFactorRequired']
              | components['schemas']['TokenPairInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      501: components['responses']['NotImplemented'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getKeySet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeySet'];
        };
      };
      400: components['responses']['ValidationError'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  checkHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Alive'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  checkReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Readiness'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailableOrNotReady'];
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          refreshToken?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      403: components['responses']['Forbidden'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          phonePrefix?: '' | string;
          phoneNumber?: '' | string;
          profilePictureUrl?: '' | string;
          locale?: '' | ('en' | 'de');
          /** Format: email */
          email: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          password: string;
          fullName: string;
          /**
           * @default password
           * @enum {string}
           */
          authProvider?: 'password' | 'google' | 'microsoft' | 'sso' | 'other';
        };
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Registration'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      403: components['responses']['ForbiddenOrRegistrationDisabled'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  exportMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['PersonalData'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      /** @description Too many attempts: at most 10 an hour and user. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeAllMySessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['RevokedCount'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeMyOtherSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['RevokedCount'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listMySessions: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['OwnSession'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeMySession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the session. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: password */
          currentPassword: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          newPassword: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  stepUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: password */
          password?: string;
          code?: string;
          recoveryCode?: string;
          credential?: {
            id: string;
            rawId: string;
            type: string;
            response: {
              clientDataJSON: string;
              authenticatorData: string;
              signature: string;
              userHandle?: string | null;
            };
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['RaisedToken'] | components['schemas']['RaisedTokenInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createStepUpOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['PasskeyRequestOptions'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  requestPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          email: string;
          /** @enum {string} */
          accountType?: '' | 'internal' | 'auto' | 'vendor';
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      501: components['responses']['NotImplemented'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  confirmPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          newPassword: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  verifyEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          password?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resendVerification: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          email: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rejectRegistration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  requestEmailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          newEmail: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      /** @description Too many attempts: at most three an hour and user. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  confirmEmailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  undoEmailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          email: string;
          role?: string;
          moduleGrants?: string[];
          permissionGrants?: string[];
          delegation?: {
            canManageUsers?: boolean;
            canBuyAddons?: boolean;
            grantableModules?: string[];
            grantablePermissions?: string[];
          };
          metadata?: {
            [key: string]: unknown;
          };
          locale?: '' | ('en' | 'de');
        };
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      /** @description Too many attempts: at most 100 per day and inviter. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  previewInvitation: {
    parameters: {
      query: {
        /** @description Token of the mailed link. */
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['InvitationPreview'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          password?: string;
          fullName?: string;
          locale?: '' | ('en' | 'de');
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data:
              | components['schemas']['InvitationTokens']
              | components['schemas']['InvitationSecondFactor']
              | components['schemas']['Invitation']
              | components['schemas']['InvitationTokensInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Id of the company. */
        'x-org'?: string;
      };
      path: {
        /** @description Id of the invitation. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelInvitation: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path: {
        /** @description Id of the invitation. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resendInvitation: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path: {
        /** @description Id of the invitation. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      /** @description Too many attempts: at most 3 per hour and invitation. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPasskeyRegistrationOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: password */
          currentPassword: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['PasskeyCreationOptions'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  verifyPasskeyRegistration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          credential: {
            id: string;
            rawId: string;
            type: string;
            response: {
              clientDataJSON: string;
              attestationObject: string;
              transports?: string[];
            };
          };
          name?: string;
        };
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Passkey'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPasskeyLoginOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['PasskeyRequestOptions'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  verifyPasskeyLogin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          credential: {
            id: string;
            rawId: string;
            type: string;
            response: {
              clientDataJSON: string;
              authenticatorData: string;
              signature: string;
              userHandle?: string | null;
            };
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['TokenPair'] | components['schemas']['TokenPairInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPasskeys: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Passkey'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  removePasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the passkey. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renamePasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the passkey. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Passkey'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  completeLogin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          challenge: string;
          code?: string;
          recoveryCode?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['TokenPair'] | components['schemas']['TokenPairInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  beginLoginEnrolment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          challenge: string;
          name?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['TotpEnrolment'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  confirmLoginEnrolment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          challenge: string;
          /** Format: uuid */
          id: string;
          code: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['EnrolledTokens'] | components['schemas']['EnrolledTokensInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listFactors: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['OwnFactors'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  beginTotpEnrolment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          name?: string;
        };
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['TotpEnrolment'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renewRecoveryCodes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['RecoveryCodes'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  confirmTotpEnrolment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the second factor. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          code: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ConfirmedFactor'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  removeFactor: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the second factor. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactive'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createHandoffCode: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['HandoffCode'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  exchangeHandoffCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          code: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['HandoffTokens'] | components['schemas']['HandoffTokensInCookies'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrEmailUnverified'];
      413: components['responses']['ContentTooLarge'];
      /** @description Too many attempts: at most 60 unknown codes per minute and address. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  issueServiceToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          clientId?: string;
          clientSecret?: string;
          audience?: string;
          scope?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ServiceToken'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['ContentTooLarge'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
        /** @description Only users of this approval status. */
        approvalStatus?: 'PENDING' | 'APPROVED' | 'REJECTED';
        /** @description Only users of this role on the platform. */
        globalRole?: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
        /** @description Only users that are active, or that are not. */
        isActive?: boolean;
        /** @description The start of an email address or a part of a name; one or two Latin letters or digits find the words that start with them. */
        search?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          phonePrefix?: '' | string;
          phoneNumber?: '' | string;
          profilePictureUrl?: '' | string;
          locale?: '' | ('en' | 'de');
          /** Format: email */
          email: string;
          /**
           * Format: password
           * @description The service may ask for more characters (`PASSWORD_MIN_LENGTH`) and refuse common passwords.
           */
          password?: string;
          fullName?: string;
          /**
           * @default password
           * @enum {string}
           */
          authProvider?: 'password' | 'google' | 'microsoft' | 'sso' | 'other';
          /**
           * @default NONE
           * @enum {string}
           */
          globalRole?: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
          /**
           * @default APPROVED
           * @enum {string}
           */
          approvalStatus?: 'PENDING' | 'APPROVED' | 'REJECTED';
          /** @default true */
          isActive?: boolean;
        };
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deactivateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          fullName?: string;
          phonePrefix?: '' | string;
          phoneNumber?: '' | string;
          profilePictureUrl?: '' | string;
          locale?: '' | ('en' | 'de');
          /** @enum {string} */
          authProvider?: 'password' | 'google' | 'microsoft' | 'sso' | 'other';
          /** @enum {string} */
          globalRole?: 'NONE' | 'PLATFORM_SUPERADMIN' | 'PLATFORM_ADMIN' | 'PLATFORM_MODERATOR';
          /** @enum {string} */
          approvalStatus?: 'PENDING' | 'APPROVED' | 'REJECTED';
          isActive?: boolean;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getUserFactors: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['UserFactors'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resetUserFactors: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ResetFactors'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  eraseUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ErasedUser'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUserPasskeys: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Passkey'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  removeUserPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
        /** @description Id of the passkey. */
        passkeyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevokedOrReauthenticationRequired'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sendPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sendEmailVerification: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['User'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      /** @description Too many attempts: at most three an hour and user. */
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getUserAccess: {
    parameters: {
      query?: {
        /** @description Whether to add the reason for each module. */
        explain?: boolean;
      };
      header: {
        /** @description Id of the company. */
        'x-org': string;
      };
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ExplainedAccess'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUserSessions: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Session'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
        /** @description Only sessions of this user. */
        userId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Session'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSessionStats: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['SessionStats'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description `X-Next-Cursor` of the answer before. Without it the list starts from the top. */
        cursor?: string;
        /** @description Only entries of this event. */
        event?:
          | 'login'
          | 'registration'
          | 'registration_cancelled'
          | 'logout'
          | 'logout_all'
          | 'logout_others'
          | 'refresh_reuse'
          | 'session_revoked'
          | 'sessions_revoked'
          | 'session_minted'
          | 'user_created'
          | 'user_updated'
          | 'user_approved'
          | 'user_rejected'
          | 'user_role_changed'
          | 'user_deactivated'
          | 'user_reactivated'
          | 'users_imported'
          | 'users_exported'
          | 'profile_updated'
          | 'personal_data_exported'
          | 'personal_data_erased'
          | 'step_up'
          | 'password_confirmation'
          | 'password_changed'
          | 'password_rehashed'
          | 'password_reset_requested'
          | 'password_reset_confirmed'
          | 'email_verification_requested'
          | 'email_verified'
          | 'email_change_requested'
          | 'email_changed'
          | 'email_change_undone'
          | 'invitation_created'
          | 'invitation_resent'
          | 'invitation_cancelled'
          | 'invitation_accepted'
          | 'handoff_created'
          | 'handoff_exchanged'
          | 'passkey_added'
          | 'passkey_renamed'
          | 'passkey_removed'
          | 'factor_added'
          | 'factor_removed'
          | 'factor_confirmation'
          | 'factors_reset'
          | 'recovery_codes_renewed'
          | 'recovery_code_used'
          | 'service_token_issued'
          | 'service_token_denied'
          | 'membership_created'
          | 'membership_updated'
          | 'business_unit_membership_changed'
          | 'finance_changed'
          | 'access_denied'
          | 'internal_key_rejected'
          | 'mail_retried'
          | 'cleanup';
        /** @description Only entries of this outcome. */
        outcome?: 'success' | 'failure' | 'denied';
        /** @description Only what this user did. */
        actorUserId?: string;
        /** @description Only what was done to this user. */
        subjectUserId?: string;
        /** @description Only what this user did, or what was done to them. */
        userId?: string;
        /** @description Only entries of this company. */
        companyId?: string;
        /** @description Only entries of this session. */
        sessionId?: string;
        /** @description Only entries of this instant and later ones. */
        from?: string;
        /** @description Only entries before this instant. */
        to?: string;
        /** @description Whether to follow the log: oldest first, and every answer has a cursor for what comes next. */
        tail?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['AuditEntry'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listMail: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
        /** @description Only mails in this state. */
        state?: 'waiting' | 'retrying' | 'failed' | 'sent' | 'skipped';
        /** @description Only mails of this kind. */
        kind?:
          | 'pending_registration'
          | 'registration_approved'
          | 'registration_rejected'
          | 'password_changed'
          | 'passkey_added'
          | 'passkey_removed'
          | 'new_device'
          | 'role_changed'
          | 'factor_added'
          | 'factor_removed'
          | 'factors_reset'
          | 'recovery_code_used'
          | 'invitation'
          | 'password_reset'
          | 'email_verification'
          | 'email_change'
          | 'email_changed'
          | 'approval_waiting';
        /** @description Only mails to this address, or to addresses that start with it. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['OutboxMail'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  retryMail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the mail. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['OutboxMail'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAllInvitations: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 1000 counts as 1000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
        /** @description Only invitations to this company. */
        companyId?: string;
        /** @description Only invitations of this address. */
        email?: string;
        /** @description Only invitations in this status. */
        status?: 'PENDING' | 'ACCEPTED' | 'CANCELLED' | 'EXPIRED';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['Invitation'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getHealthReport: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['HealthReport'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listCompanyMembers: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 100000 counts as 100000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
        /** @description Only members with this module. */
        module?: string;
      };
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['CompanyUser'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  saveCompanyMembership: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: uuid */
          userId: string;
          role?: string;
          isActive?: boolean;
          approvalLimit?: string | null;
          moduleGrants?: string[];
          permissionGrants?: string[];
          delegation?: {
            canManageUsers?: boolean;
            canBuyAddons?: boolean;
            grantableModules?: string[];
            grantablePermissions?: string[];
          };
          moduleRules?: (
            | {
                moduleKey: string;
                /** @enum {string} */
                effect: 'GRANT' | 'DENY';
                /** @constant */
                source: 'MEMBER';
                teamId?: unknown;
              }
            | {
                moduleKey: string;
                /** @enum {string} */
                effect: 'GRANT' | 'DENY';
                /** @constant */
                source: 'TEAM';
                /** Format: uuid */
                teamId?: string;
              }
          )[];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['CompanyMembership'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listBusinessUnitMembers: {
    parameters: {
      query?: {
        /** @description Items of one answer. More than 100000 counts as 100000. */
        limit?: number;
        /** @description Items to skip from the start of the list. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
        /** @description Id of the business unit. */
        businessUnitId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['BusinessUnitUser'][];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  saveBusinessUnitMembership: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
        /** @description Id of the business unit. */
        businessUnitId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: uuid */
          userId: string;
          isActive?: boolean;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['BusinessUnitMembership'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateBusinessUnitFinance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
        /** @description Id of the user. */
        userId: string;
        /** @description Id of the business unit. */
        businessUnitId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          financeRole?: ('SUBMITTER' | 'APPROVER') | null;
          approvalLimit?: string | null;
          isPrimaryApprover?: boolean;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['BusinessUnitMembership'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateCompanyFinance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
        /** @description Id of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          financeRole?: ('SUBMITTER' | 'APPROVER') | null;
          approvalLimit?: string | null;
          isPrimaryFinanceAdmin?: boolean;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['CompanyMembership'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  setCompanyApprovalLimit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the company. */
        companyId: string;
        /** @description Id of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          approvalLimit: string | null;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['CompanyMembership'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resolveCompany: {
    parameters: {
      query: {
        /** @description Id, code or name of a company. */
        raw: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['ResolvedCompany'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['FinanceDbNotConfiguredOrServiceUnavailable'];
    };
  };
  getUserContext: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['UserContext'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeUserSessions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the user. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['RevokedCount'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the session. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            data: components['schemas']['StatusOk'];
          };
        };
      };
      400: components['responses']['ValidationError'];
      401: components['responses']['UnauthorizedOrSessionRevoked'];
      403: components['responses']['ForbiddenOrPendingApprovalOrRegistrationRejectedOrAccountInactiveOrSecondFactorRequired'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
}

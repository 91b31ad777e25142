import type { RequestFunction, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';

const UPLOADED = /\/auth\/pictures\/([0-9a-f]{32})$/;

/**
 * The account of the user: profile, password, email and data.
 *
 * @example
 * const speakGerman = (account: ClientAccount) => account.update({ locale: 'de' });
 */
export class ClientAccount {
  readonly #deps;

  constructor(deps: {
    /** Address of the service, without a trailing slash. */
    baseUrl: string;
    request: RequestFunction;
    /** Finds out whether the session of this client is among those that the service has ended. */
    checkSession: () => Promise<void>;
  }) {
    this.#deps = deps;
  }

  /** Changes the profile, such as `{ fullName }` or the language: `{ locale: 'de' }`. An empty text clears a field. */
  update(body: RequestInput<'PATCH', '/auth/me'>['body']): Promise<RequestResult<'PATCH', '/auth/me'>> {
    return this.#deps.request('PATCH', '/auth/me', { body });
  }

  /**
   * Uploads a picture: WebP, JPEG or PNG, at most 64 KiB, 32 to 512 pixels wide and high. `data.profilePictureUrl` is its address, which
   * the profile has, too.
   */
  async setPicture(file: Blob): Promise<RequestResult<'PUT', '/auth/me/picture'>> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return this.#deps.request('PUT', '/auth/me/picture', { body: { content } });
  }

  /**
   * Returns the address of a picture at this service by the `profilePictureUrl` of its user; undefined for a picture of another host,
   * which would learn of each view.
   */
  pictureAt(profilePictureUrl: string | undefined): string | undefined {
    const id = UPLOADED.exec(profilePictureUrl ?? '')?.[1];
    return id && `${this.#deps.baseUrl}/auth/pictures/${id}`;
  }

  /** Removes the uploaded picture. `not_found` if there is none. */
  removePicture(): Promise<RequestResult<'DELETE', '/auth/me/picture'>> {
    return this.#deps.request('DELETE', '/auth/me/picture');
  }

  /** Returns everything that the service keeps about the user. `reauthentication_required` if the sign-in is too old. */
  exportData(): Promise<RequestResult<'GET', '/auth/me/export'>> {
    return this.#deps.request('GET', '/auth/me/export');
  }

  /** Leaves a company. `reauthentication_required` if the sign-in is too old. */
  leaveCompany(companyId: string): Promise<RequestResult<'DELETE', '/auth/me/memberships/{companyId}'>> {
    return this.#deps.request('DELETE', '/auth/me/memberships/{companyId}', { path: { companyId } });
  }

  /** Changes the password. All other sessions end. */
  changePassword(
    body: RequestInput<'POST', '/auth/password/change'>['body'],
  ): Promise<RequestResult<'POST', '/auth/password/change'>> {
    return this.#deps.request('POST', '/auth/password/change', { body });
  }

  /** Sends the mail for a forgotten password. The result is the same whether or not there is an account. */
  requestPasswordReset(email: string): Promise<RequestResult<'POST', '/auth/password-reset/request'>> {
    return this.#deps.request('POST', '/auth/password-reset/request', { body: { email } });
  }

  /** Sets a new password by the token of that mail. All sessions of the user end, also that of this client. */
  async resetPassword(
    body: RequestInput<'POST', '/auth/password-reset/confirm'>['body'],
  ): Promise<RequestResult<'POST', '/auth/password-reset/confirm'>> {
    return this.#ending(await this.#deps.request('POST', '/auth/password-reset/confirm', { body }));
  }

  /** Sends a mail to the new email, which is used once its link has been. `reauthentication_required` if the sign-in is too old. */
  changeEmail(newEmail: string): Promise<RequestResult<'POST', '/auth/email/change'>> {
    return this.#deps.request('POST', '/auth/email/change', { body: { newEmail } });
  }

  /** Returns the addresses that the mail to the new one is about. */
  previewEmailChange(token: string): Promise<RequestResult<'POST', '/auth/email/change/preview'>> {
    return this.#deps.request('POST', '/auth/email/change/preview', { body: { token } });
  }

  /** Returns the addresses that the notice to the former one is about. */
  previewUndoEmailChange(token: string): Promise<RequestResult<'POST', '/auth/email/change/undo/preview'>> {
    return this.#deps.request('POST', '/auth/email/change/undo/preview', { body: { token } });
  }

  /** Changes the email by the token of the mail to the new one. All sessions end but the one that asked for the change. */
  async confirmEmail(token: string): Promise<RequestResult<'POST', '/auth/email/change/confirm'>> {
    return this.#ending(await this.#deps.request('POST', '/auth/email/change/confirm', { body: { token } }));
  }

  /** Restores the former email by the token of the notice to it. All sessions end, and the password is void. */
  async undoEmailChange(token: string): Promise<RequestResult<'POST', '/auth/email/change/undo'>> {
    return this.#ending(await this.#deps.request('POST', '/auth/email/change/undo', { body: { token } }));
  }

  /**
   * Deletes the account: this session and all others end, and a mailed link undoes it until `data.deleteAt`. `reauthentication_required` if
   * the sign-in is too old.
   */
  async delete(): Promise<RequestResult<'DELETE', '/auth/me'>> {
    return this.#ending(await this.#deps.request('DELETE', '/auth/me'));
  }

  /** Undoes the deletion of an account by the token of that mail. The user can sign in again. */
  undoDeletion(token: string): Promise<RequestResult<'POST', '/auth/me/deletion/undo'>> {
    return this.#deps.request('POST', '/auth/me/deletion/undo', { body: { token } });
  }

  /** Sends that mail again. The result is the same whether or not an account with the email is about to be deleted. */
  sendUndoDeletion(email: string): Promise<RequestResult<'POST', '/auth/me/deletion/undo/send'>> {
    return this.#deps.request('POST', '/auth/me/deletion/undo/send', { body: { email } });
  }

  async #ending<Outcome extends { ok: boolean }>(outcome: Outcome): Promise<Outcome> {
    if (outcome.ok) await this.#deps.checkSession();
    return outcome;
  }
}

import type { Locator, Page } from 'playwright-core';
import type { TestUser } from '../test-users.js';

/** The form of `/login`, found by its visible labels. */
export class SignInForm {
  readonly email: Locator;
  readonly password: Locator;
  readonly button: Locator;
  readonly passkeyButton: Locator;
  /** The notice for errors that concern the whole form. */
  readonly notice: Locator;

  constructor(page: Page) {
    this.email = page.getByLabel('Email', { exact: true });
    this.password = page.getByLabel('Password', { exact: true });
    this.button = page.getByRole('button', { name: 'Sign in', exact: true });
    this.passkeyButton = page.getByRole('button', { name: 'Sign in with a passkey' });
    this.notice = page.getByRole('alert');
  }

  async fill({ email, password }: Pick<TestUser, 'email' | 'password'>): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
  }

  async send(credentials: Pick<TestUser, 'email' | 'password'>): Promise<void> {
    await this.fill(credentials);
    await this.button.click();
  }
}

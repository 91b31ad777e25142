'use client';

/** Ready-made React components on the hooks: without styles of their own, but for the file `components.css`, which is optional. */
export { CompanyMembers, type CompanyMembersProps } from './components/company-members.js';
export { CompanySwitcher, type CompanySwitcherProps } from './components/company-switcher.js';
export { Protected, type ProtectedProps } from './components/protected.js';
export { SignIn, type SignInProps } from './components/sign-in.js';
export type { Texts } from './components/texts.js';
export { UserButton, type UserButtonProps } from './components/user-button.js';

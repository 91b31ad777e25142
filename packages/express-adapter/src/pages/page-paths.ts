export const LOGIN_PATH = '/login';
export const ACCEPT_PATH = '/accept-invitation';
export const RESET_PATH = '/reset-password';
export const VERIFY_PATH = '/verify-email';

/** The address of one page on another: they stand side by side, under whatever prefix. */
export const besides = (path: string): string => path.slice(1);

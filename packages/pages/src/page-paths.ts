export const ACCOUNT_PATH = '/account';
export const LOGIN_PATH = '/login';
export const REGISTER_PATH = '/register';
export const FIRST_ADMINISTRATOR_PATH = '/first-administrator';
export const ACCEPT_PATH = '/accept-invitation';
export const RESET_PATH = '/reset-password';
export const VERIFY_PATH = '/verify-email';
export const REJECT_PATH = '/reject-registration';
export const CHANGE_EMAIL_PATH = '/change-email';
export const CONSOLE_PATH = '/console';
export const COMPANY_PATH = '/company';
/** The page of a company, and the one that lists the companies of the user. */
export const COMPANY_PATHS = [COMPANY_PATH, `${COMPANY_PATH}/{companyId}`];
/** The console and its views, which its script shows. */
export const CONSOLE_PATHS = [CONSOLE_PATH, `${CONSOLE_PATH}/{+view}`];
/** The page to which providers send the browser back, with the connection behind it. */
export const EXTERNAL_CALLBACK_PATH = '/external/callback/{connectionId}';
export const UNDO_PATH = '/undo-email-change';
export const UNDO_DELETION_PATH = '/undo-deletion';

/** The command that creates the first superadmin without a browser. */
export const BOOTSTRAP_COMMAND = 'npx latchkey bootstrap';

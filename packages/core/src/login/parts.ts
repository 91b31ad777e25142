import { made, type PartsOf } from '../kernel/assemble.js';
import type { Logger } from '../kernel/logger.js';
import type { Decoys } from '../passwords/decoys.js';
import type { Configured } from '../settings/settings.js';
import type { PasswordHashRepository } from '../users/password-hash-repository.js';
import { ApprovalNotices } from './approval-notices.js';
import { ConfirmationService } from './confirmation-service.js';
import { CurrentPassword } from './current-password.js';
import { DecoyRefresh } from './decoy-refresh.js';
import { LoginService } from './login-service.js';
import { PasswordService } from './password-service.js';
import { RegistrationService } from './registration-service.js';

export interface DecoyParts {
  readonly decoys: Decoys;
  readonly hashes: PasswordHashRepository;
  readonly logger: Logger;
}

/** What signs in by password, registers and changes passwords. */
export const loginParts = {
  decoyRefresh: ({ decoys, hashes, logger }: DecoyParts) => new DecoyRefresh(decoys, hashes, logger),
  login: made(LoginService),
  confirmations: made(ConfirmationService),
  currentPassword: made(CurrentPassword),
  passwordService: made(PasswordService),
  recipients: ({ settings }: Configured) => settings.registration.noticeTo,
  approverNotices: made(ApprovalNotices),
  registration: (parts: Configured & PartsOf<typeof RegistrationService>) =>
    new RegistrationService(parts, parts.settings.registration),
};

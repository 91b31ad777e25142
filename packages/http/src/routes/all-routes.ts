import type { Route } from '../routing/route.js';
import { adminRoutes } from './admin.js';
import { ownAccess } from './auth/access.js';
import { accountDeletionRoutes } from './auth/account-deletion.js';
import { apiKeyRoutes } from './auth/api-keys.js';
import { emailChangeRoutes } from './auth/email-change.js';
import { emailVerificationRoutes } from './auth/email-verification.js';
import { externalRoutes } from './auth/external.js';
import { factorRoutes } from './auth/factors.js';
import { createHandoff, exchangeHandoff } from './auth/handoff.js';
import { invitationRoutes } from './auth/invitations.js';
import { mailedSignInRoutes } from './auth/mailed-sign-in.js';
import { exportMe, leaveCompany, me, patchMe } from './auth/me.js';
import {
  changePassword,
  logoutAll,
  logoutOthers,
  ownSessions,
  revokeOwnSession,
} from './auth/own-sessions.js';
import { passkeyRoutes } from './auth/passkeys.js';
import { confirmPasswordReset, requestPasswordReset } from './auth/password-reset.js';
import { pictureRoutes } from './auth/pictures.js';
import { secondFactorRoutes } from './auth/second-factor.js';
import { issueServiceToken } from './auth/service-token.js';
import { login, logout, refresh, register } from './auth/sign-in.js';
import { stepUp, stepUpOptions } from './auth/step-up.js';
import { trustedDeviceRoutes } from './auth/trusted-devices.js';
import { health, ready } from './health.js';
import { internalRoutes } from './internal.js';
import { keySet } from './key-set.js';
import { actingRoutes } from './management/acting.js';

/** All routes, the most frequent first: requests are matched in this order. */
export const allRoutes: readonly Route[] = [
  me,
  ownAccess,
  refresh,
  login,
  keySet,
  health,
  ready,
  logout,
  register,
  patchMe,
  exportMe,
  leaveCompany,
  ...accountDeletionRoutes,
  ...pictureRoutes,
  logoutAll,
  logoutOthers,
  ownSessions,
  revokeOwnSession,
  changePassword,
  stepUp,
  stepUpOptions,
  requestPasswordReset,
  confirmPasswordReset,
  ...emailVerificationRoutes,
  ...emailChangeRoutes,
  ...invitationRoutes,
  ...passkeyRoutes,
  ...secondFactorRoutes,
  ...factorRoutes,
  ...trustedDeviceRoutes,
  ...externalRoutes,
  ...mailedSignInRoutes,
  ...apiKeyRoutes,
  createHandoff,
  exchangeHandoff,
  ...actingRoutes,
  issueServiceToken,
  ...internalRoutes,
  ...adminRoutes,
];

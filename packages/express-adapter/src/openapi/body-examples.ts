import {
  acceptInvitationInput,
  businessUnitFinanceInput,
  businessUnitMembershipInput,
  changePasswordInput,
  companyApprovalLimitInput,
  companyFinanceInput,
  companyMembershipInput,
  createUserInput,
  exchangeHandoffInput,
  invitationInput,
  loginInput,
  machineCreateUserInput,
  machineUserPatchInput,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passwordResetConfirmInput,
  passwordResetRequestInput,
  profilePatchInput,
  refreshTokenInput,
  registerInput,
  registerPasskeyInput,
  serviceTokenInput,
  userPatchInput,
  verifyEmailInput,
} from '@latchkey/core/schemas';
import { EMAIL, example, PASSWORD, USER_ID } from './example.js';

const credential = { id: 'AQIDBAUGBwg', rawId: 'AQIDBAUGBwg', type: 'public-key' };
const newUser = { email: EMAIL, fullName: 'Ann Berg', phonePrefix: '+49', phoneNumber: '3012345' };

/** Examples of request bodies for the reference and generated clients. */
export const BODY_EXAMPLES = [
  example(registerInput, { ...newUser, password: PASSWORD }),
  example(loginInput, { email: EMAIL, password: PASSWORD }),
  example(refreshTokenInput, { refreshToken: 'lkr_B9UUGyORVwAomCD_…' }),
  example(passwordResetRequestInput, { email: EMAIL }),
  example(passwordResetConfirmInput, { token: 'lkp_Zb1cQk9e…', newPassword: 'another long walk home' }),
  example(verifyEmailInput, { token: 'lke_p7Tq2Xw9…', password: PASSWORD }),
  example(changePasswordInput, { currentPassword: PASSWORD, newPassword: 'another long walk home' }),
  example(profilePatchInput, { fullName: 'Ann Berg', phoneNumber: '' }),
  example(passkeyOptionsInput, { currentPassword: PASSWORD }),
  example(registerPasskeyInput, {
    credential: {
      ...credential,
      response: { clientDataJSON: 'eyJ0eXBlIjo…', attestationObject: 'o2NmbXRk…' },
    },
    name: 'Phone',
  }),
  example(passkeyLoginInput, {
    credential: {
      ...credential,
      response: { clientDataJSON: 'eyJ0eXBlIjo…', authenticatorData: 'SZYN5YgO…', signature: 'MEUCIQDx…' },
    },
  }),
  example(passkeyPatchInput, { name: 'Key at work' }),
  example(invitationInput, {
    email: 'ben@example.com',
    role: 'MEMBER',
    moduleGrants: ['invoices'],
    metadata: { companyName: 'Acme' },
  }),
  example(acceptInvitationInput, { token: 'lki_mHn3c2Vd…', password: PASSWORD, fullName: 'Ben Example' }),
  example(exchangeHandoffInput, { code: 'lkh_5hF8sKq2…' }),
  example(serviceTokenInput, {
    clientId: 'billing',
    clientSecret: 'the secret of the billing service',
    audience: 'latchkey',
    scope: 'internal:read',
  }),
  example(createUserInput, newUser),
  example(machineCreateUserInput, { ...newUser, legacyIds: { crm: '4711' } }),
  example(userPatchInput, { approvalStatus: 'APPROVED', isActive: true }),
  example(machineUserPatchInput, { email: 'ann.berg@example.com' }),
  example(companyMembershipInput, {
    userId: USER_ID,
    role: 'ADMIN',
    approvalLimit: '1000.50',
    moduleGrants: ['invoices'],
    moduleRules: [{ moduleKey: 'payroll', effect: 'DENY', source: 'MEMBER' }],
  }),
  example(businessUnitMembershipInput, { userId: USER_ID, isActive: true }),
  example(companyFinanceInput, { financeRole: 'APPROVER', isPrimaryFinanceAdmin: true }),
  example(businessUnitFinanceInput, { financeRole: 'APPROVER', isPrimaryApprover: true }),
  example(companyApprovalLimitInput, { approvalLimit: '250.00' }),
];

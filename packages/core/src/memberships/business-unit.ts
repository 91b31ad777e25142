import { AuthError } from '../kernel/auth-error.js';

/**
 * Returns the error for a unit of another company. A unit belongs to the company that used it first: the
 * service knows no more of it than its id.
 */
export const unitOfAnother = (): AuthError =>
  AuthError.conflict(
    'This business unit belongs to another company. Use a unit of this company.',
    'business_unit_of_other_company',
  );

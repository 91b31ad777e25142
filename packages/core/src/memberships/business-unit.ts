import { AuthError } from '../kernel/auth-error.js';

/** A unit belongs to the company that has used it first, since its id is all that is known of it here. */
export const unitOfAnother = (): AuthError =>
  AuthError.conflict(
    'This business unit belongs to another company. Use a unit of this company.',
    'business_unit_of_other_company',
  );

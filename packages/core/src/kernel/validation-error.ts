import { AuthError } from './auth-error.js';
import { fieldNameOf, pointerOf, type FieldFault, type FieldReason } from './field-fault.js';

/**
 * Maximum number of reported faults: a body may have thousands, and their messages would be longer than the
 * body.
 */
const MOST = 50;

/**
 * Returns one error that describes the faults of an input; its message names each field and the reason.
 * @param where names the input as a whole.
 */
export function validationError(faults: readonly FieldFault[], where = 'body'): AuthError {
  const fields = faults.slice(0, MOST);
  const described = fields.map(({ pointer, message }) => `${fieldNameOf(pointer) || where}: ${message}`);
  const more = faults.length - fields.length;
  if (more > 0) described.push(`and ${more} more`);
  return AuthError.validation(described.join('; '), { fields });
}

/** Returns the error of one rejected field. */
export const fieldError = (name: string, reason: FieldReason, message: string): AuthError =>
  validationError([{ pointer: pointerOf([name]), reason, message }]);

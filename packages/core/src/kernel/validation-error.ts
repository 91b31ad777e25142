import { AuthError } from './auth-error.js';
import { fieldNameOf, pointerOf, type FieldFault, type FieldReason } from './field-fault.js';

/** As many faults are told: a body may have thousands, and their messages would be longer than the body. */
const MOST = 50;

/**
 * Describes the faults of an input in one error, whose message names each field and why.
 * @param where names the input as a whole.
 */
export function validationError(faults: readonly FieldFault[], where = 'body'): AuthError {
  const fields = faults.slice(0, MOST);
  const told = fields.map(({ pointer, message }) => `${fieldNameOf(pointer) || where}: ${message}`);
  const more = faults.length - fields.length;
  if (more > 0) told.push(`and ${more} more`);
  return AuthError.validation(told.join('; '), { fields });
}

/** One field that is refused. */
export const fieldError = (name: string, reason: FieldReason, message: string): AuthError =>
  validationError([{ pointer: pointerOf([name]), reason, message }]);

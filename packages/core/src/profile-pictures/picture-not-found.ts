import { AuthError } from '../kernel/auth-error.js';

export const pictureNotFound = (): AuthError => AuthError.notFound('The picture', 'picture_not_found');

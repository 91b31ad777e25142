export interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
}

/** The OpenAPI document, as far as the client's files depend on it. */
export interface HttpInterface {
  paths: Record<string, Record<string, Operation>>;
}

export const isPublic = ({ security }: Operation): boolean => security.length === 0;

/** Returns the document without the routes that only machines can call: no browser may hold their key. */
export function interfaceOfPeople(document: string): HttpInterface {
  const whole = JSON.parse(document) as HttpInterface;
  const paths = Object.entries(whole.paths).map(([path, methods]): [string, Record<string, Operation>] => [
    path,
    Object.fromEntries(Object.entries(methods).filter(([, operation]) => isForPeople(operation))),
  ]);
  return {
    ...whole,
    paths: Object.fromEntries(paths.filter(([, methods]) => Object.keys(methods).length > 0)),
  };
}

const isForPeople = (operation: Operation): boolean =>
  isPublic(operation) || operation.security.some((way) => 'accessToken' in way);

type Node = Record<string, unknown>;

/**
 * Closes every object that a document describes: what is published allows for fields to come, while our own
 * answers must have no field today that the document does not name.
 */
export const closedDocument = (document: object): Node => closed(document) as Node;

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)] as const));
  const isOpenObject = node.type === 'object' && 'properties' in node && !('additionalProperties' in node);
  return isOpenObject ? { ...node, additionalProperties: false } : node;
}

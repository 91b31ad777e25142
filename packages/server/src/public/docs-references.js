/**
 * Returns a part of the document with its references replaced. The resolver of the viewer reads the whole document for each
 * operation that is opened, about a second. This document refers only to parts of itself, so a lookup suffices.
 * @param path names of members from the root of the document to the part.
 * @param address of the document; the viewer names schemas after it.
 */
export const partOf = (document, path, address) => inlined(memberOf(document, path), { document, address });

const memberOf = (document, path) => path.reduce((value, name) => value?.[name], document);

/** Replaces references, but for those to a schema that the value is itself within. */
function inlined(value, source, within = []) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inlined(item, source, within));
  const { $ref: reference, ...others } = value;
  if (typeof reference === 'string' && within.includes(reference)) return value;
  const own = Object.fromEntries(
    Object.entries(others).map(([name, member]) => [name, inlined(member, source, within)]),
  );
  if (typeof reference !== 'string') return flattened(own);
  const target = memberOf(source.document, namesIn(reference));
  return {
    ...inlined(target, source, [...within, reference]),
    $$ref: source.address + reference,
    ...own,
  };
}

/** Returns the names in a pointer of the form `#/components/schemas/Error` (RFC 6901, sections 4 and 6). */
const namesIn = (reference) =>
  reference
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns a schema that extends others as a single one. */
const flattened = ({ allOf, ...schema }) =>
  Array.isArray(allOf) ? [...allOf, schema].reduce(merged) : schema;

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(one, other) {
  const result = { ...one };
  for (const [name, value] of Object.entries(other))
    result[name] = isObject(value) && isObject(one[name]) ? merged(one[name], value) : value;
  return result;
}

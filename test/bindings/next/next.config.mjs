/** Next.js leaves paths and responses as they are: what a path with a slash at its end gets is Latchkey's to say. */
export default { skipTrailingSlashRedirect: true, poweredByHeader: false, compress: false };

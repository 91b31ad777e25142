/** Returns a variable that the benchmark sets. @throws Error if it is missing. */
export function required(name) {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set; this server is started by npm run bench:peers`);
  return value;
}

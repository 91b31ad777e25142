/** Only what programs need to run: settings of the machine at hand must not decide the outcome. */
export function plainEnvironment(settings) {
  const kept = ['PATH', 'HOME', 'TMPDIR'].filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), ...settings };
}

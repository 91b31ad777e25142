import Provider from 'oidc-provider';

// An OpenID provider with one client: the service. Any name signs in, with any password.
const { PORT, CLIENT, KEYS } = process.env;

// Who started it holds standard input open, so it ends when they do.
process.stdin.resume().once('end', () => process.exit());

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [JSON.parse(CLIENT)],
  jwks: { keys: JSON.parse(KEYS) },
  cookies: { keys: ['of the proof'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
  pkce: { required: () => true },
  // The agent that it gives refuses this machine, where the service runs.
  fetch: (url, { dispatcher: _dispatcher, ...options }) => globalThis.fetch(url, options),
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: `${accountId}@example.com`,
      email_verified: true,
      name: 'Ada Berg',
    }),
  }),
});

provider.on('backchannel.error', (_context, error) => console.error(error.message));
provider.on('server_error', (_context, error) => console.error(error));
provider.listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));

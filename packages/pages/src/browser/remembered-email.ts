const KEY = 'latchkey.email';

/** The email that last signed in with a password in this browser; nothing in a browser that blocks storage. */
export const rememberedEmail = {
  read: (): string => attempt(() => localStorage.getItem(KEY)) ?? '',
  write: (email: string): void => attempt(() => localStorage.setItem(KEY, email)),
  clear: (): void => attempt(() => localStorage.removeItem(KEY)),
};

function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

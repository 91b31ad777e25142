/**
 * Returns an adapter of oidc-provider that keeps everything in a Map. Its own memory adapter is for development: it keeps
 * a thousand entries and visits all tokens of a grant at each rotation, so it slows down while it is measured.
 */
export function createMapAdapter() {
  const entries = new Map();
  const keysOfGrant = new Map();
  return class MapAdapter {
    #prefix;

    constructor(model) {
      this.#prefix = `${model}:`;
    }

    async upsert(id, payload) {
      const key = this.#prefix + id;
      entries.set(key, payload);
      if (payload.grantId === undefined) return;
      const keys = keysOfGrant.get(payload.grantId);
      if (keys) keys.add(key);
      else keysOfGrant.set(payload.grantId, new Set([key]));
    }

    async find(id) {
      return entries.get(this.#prefix + id);
    }

    async consume(id) {
      entries.get(this.#prefix + id).consumed = Math.floor(Date.now() / 1000);
    }

    async destroy(id) {
      entries.delete(this.#prefix + id);
    }

    async revokeByGrantId(grantId) {
      for (const key of keysOfGrant.get(grantId) ?? []) entries.delete(key);
      keysOfGrant.delete(grantId);
    }
  };
}

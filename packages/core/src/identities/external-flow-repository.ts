import type { SecretColumn } from '../encryption/reencryption.js';
import type { EncryptedValue } from '../encryption/value-cipher.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import {
  FLOW_SECONDS,
  LINK_SECONDS,
  MAX_OPEN_FLOWS,
  type ExternalFlow,
  type FlowPurpose,
} from './external-flow.js';
import type { ProvedIdentity } from './external-identity.js';

/** An identity that waits for its user to link it. */
interface PendingLink {
  /** The user who has its address. */
  userId: string;
  identity: ProvedIdentity;
}

/** A flow with what is known when it begins only. */
interface NewFlow extends ExternalFlow {
  stateDigest: Buffer;
  challenge: string;
  verifier: EncryptedValue;
  /** The address that began it, as limits count it. */
  addressBucket: string;
}

interface FlowRow {
  id: string;
  connection_id: string;
  purpose: FlowPurpose;
  nonce: string;
  redirect_uri: string;
  return_to: string | null;
  user_id: string | null;
  session_id: string | null;
  verifier: Buffer;
  verifier_key_id: string;
}

/** Only one transaction at a time counts and adds flows of an address. */
const LOCK_BUCKET = statement(
  'external_flow_lock_bucket',
  `SELECT pg_advisory_xact_lock(hashtextextended('external-flows:' || $1::text, 0))`,
);
const INSERT = statement(
  'external_flow_insert',
  `INSERT INTO external_flows (id, state_digest, connection_id, purpose, challenge, nonce, verifier, verifier_key_id, redirect_uri,
     return_to, user_id, session_id, address_bucket, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(secs => $14)
   WHERE (SELECT count(*) FROM external_flows
     WHERE address_bucket = $13 AND spent_at IS NULL AND expires_at > now()) < $15::int
   RETURNING id`,
);
const IS_OPEN = 'state_digest = $1 AND challenge = $2 AND spent_at IS NULL AND expires_at > now()';
const PURPOSE = statement('external_flow_purpose', `SELECT purpose FROM external_flows WHERE ${IS_OPEN}`);
/** Of simultaneous responses one spends the flow: what a flow keeps of its client goes with it. */
const SPEND = statement(
  'external_flow_spend',
  `UPDATE external_flows SET spent_at = now(), address_bucket = NULL
   WHERE ${IS_OPEN} AND purpose = ANY($3::text[]) AND session_id IS NOT DISTINCT FROM $4::uuid
   RETURNING id, connection_id, purpose, nonce, redirect_uri, return_to, user_id, session_id, verifier, verifier_key_id`,
);
const OFFER_LINK = statement(
  'external_flow_offer_link',
  `UPDATE external_flows f SET link_digest = $2, link_identity = $3::jsonb, user_id = u.id, link_version = u.token_version,
     expires_at = now() + make_interval(secs => $5)
   FROM users u WHERE f.id = $1 AND f.spent_at IS NOT NULL AND f.purpose = 'sign-in' AND u.id = $4 AND u.erased_at IS NULL
   RETURNING f.id`,
);
/** The account must be as it was when the link was offered. */
const TAKE_LINK = statement(
  'external_flow_take_link',
  `UPDATE external_flows f SET link_digest = NULL, link_identity = NULL
   FROM (SELECT p.id, p.link_identity FROM external_flows p JOIN users u ON u.id = p.user_id
     WHERE p.link_digest = $1 AND p.challenge = $2 AND p.user_id = $3 AND p.expires_at > now()
       AND u.token_version = p.link_version FOR UPDATE OF p) AS pending
   WHERE f.id = pending.id AND f.link_digest = $1
   RETURNING pending.link_identity`,
);
const CONNECTION_OF_LINK = statement(
  'external_flow_connection_of_link',
  'SELECT connection_id FROM external_flows WHERE link_digest = $1 AND expires_at > now()',
);
const USE_LOGOUT = statement(
  'external_logout_use',
  `WITH expired AS (DELETE FROM external_logouts WHERE expires_at < now())
   INSERT INTO external_logouts (token_digest, expires_at) VALUES ($1, now() + make_interval(secs => $2))
   ON CONFLICT (token_digest) DO NOTHING RETURNING token_digest`,
);
const OF_OTHER_KEYS = statement(
  'external_flow_of_other_keys',
  `SELECT id, verifier, verifier_key_id FROM external_flows WHERE verifier_key_id <> $1 AND id > $2 ORDER BY id LIMIT $3`,
);
const REPLACE_VERIFIER = statement(
  'external_flow_replace_verifier',
  'UPDATE external_flows SET verifier = $3, verifier_key_id = $4 WHERE id = $1 AND verifier = $2 RETURNING id',
);

/** The flow that a response names, and who may spend it. */
interface FlowToSpend {
  stateDigest: Buffer;
  challenge: string;
  purposes: readonly FlowPurpose[];
  /** The session that began it; null for a sign-in. */
  sessionId: string | null;
}

/** Stores flows through providers, and what is left of them until it is linked. */
export class ExternalFlowRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a flow. @returns false if its address has as many as allowed. */
  async insert(flow: NewFlow): Promise<boolean> {
    const { verifier } = flow;
    const values = [
      flow.id,
      flow.stateDigest,
      flow.connectionId,
      flow.purpose,
      flow.challenge,
      flow.nonce,
      verifier.bytes,
      verifier.keyId,
      flow.redirectUri,
      flow.returnTo,
      flow.userId,
      flow.sessionId,
      flow.addressBucket,
      FLOW_SECONDS,
      MAX_OPEN_FLOWS,
    ];
    return this.#database.transaction(async (trx) => {
      await this.#database.query(LOCK_BUCKET, [flow.addressBucket], trx);
      return (await this.#database.query(INSERT, values, trx)).length > 0;
    });
  }

  /** Returns the purpose of a flow that can be spent. It decides nothing: `spend` does. */
  async purposeOf(stateDigest: Buffer, challenge: string): Promise<FlowPurpose | undefined> {
    const [row] = await this.#database.query<Pick<FlowRow, 'purpose'>>(PURPOSE, [stateDigest, challenge]);
    return row?.purpose;
  }

  /** Spends a flow: of simultaneous calls one gets it. */
  async spend({
    stateDigest,
    challenge,
    purposes,
    sessionId,
  }: FlowToSpend): Promise<(ExternalFlow & { verifier: EncryptedValue }) | undefined> {
    const values = [stateDigest, challenge, purposes, sessionId];
    const [row] = await this.#database.query<FlowRow>(SPEND, values);
    return (
      row && {
        id: row.id,
        connectionId: row.connection_id,
        purpose: row.purpose,
        nonce: row.nonce,
        redirectUri: row.redirect_uri,
        returnTo: row.return_to,
        userId: row.user_id,
        sessionId: row.session_id,
        verifier: { bytes: row.verifier, keyId: row.verifier_key_id },
      }
    );
  }

  /** Keeps the identity of a spent sign-in until its user links it. @returns false if the user is gone. */
  async offerLink(flowId: string, linkDigest: Buffer, { userId, identity }: PendingLink): Promise<boolean> {
    const values = [flowId, linkDigest, JSON.stringify(identity), userId, LINK_SECONDS];
    return (await this.#database.query(OFFER_LINK, values)).length > 0;
  }

  /** Returns the connection of an identity that waits. It decides nothing: `takeLink` does. */
  async connectionOfLink(linkDigest: Buffer): Promise<string | undefined> {
    const [row] = await this.#database.query<Pick<FlowRow, 'connection_id'>>(CONNECTION_OF_LINK, [
      linkDigest,
    ]);
    return row?.connection_id;
  }

  /** Takes the identity that waits for this user. The transaction holds the row of the user; one of several calls gets it. */
  async takeLink(
    { linkDigest, challenge, userId }: { linkDigest: Buffer; challenge: string; userId: string },
    trx: Transaction,
  ): Promise<ProvedIdentity | undefined> {
    const [row] = await this.#database.query<{ link_identity: ProvedIdentity }>(
      TAKE_LINK,
      [linkDigest, challenge, userId],
      trx,
    );
    return row?.link_identity;
  }

  /** Records the use of a logout token. @returns false if it was used before. */
  async useLogout(tokenDigest: Buffer, seconds: number, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(USE_LOGOUT, [tokenDigest, seconds], trx)).length > 0;
  }

  /** Removes the flows of a user who is erased. */
  async removeAll(userId: string, trx: Transaction): Promise<void> {
    await trx('external_flows').where({ user_id: userId }).delete();
  }

  /** The verifiers towards providers, which a rotation of the encryption key reads. */
  get secretColumn(): SecretColumn {
    return {
      ofOtherKeys: async (keyId, after, limit) => {
        const rows = await this.#database.query<Pick<FlowRow, 'id' | 'verifier' | 'verifier_key_id'>>(
          OF_OTHER_KEYS,
          [keyId, after, limit],
        );
        return rows.map(({ id, verifier: bytes, verifier_key_id: ofKey }) => ({
          id,
          place: placeOfVerifier(id),
          secret: { bytes, keyId: ofKey },
        }));
      },
      replace: async ({ id, secret }, next) => {
        const values = [id, secret.bytes, next.bytes, next.keyId];
        return (await this.#database.query(REPLACE_VERIFIER, values)).length > 0;
      },
    };
  }
}

/** Returns the place to which the verifier of a flow is bound: table, row and column. */
export const placeOfVerifier = (flowId: string): string => `external_flows:${flowId}:verifier`;

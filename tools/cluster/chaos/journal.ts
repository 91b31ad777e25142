/** What users and administrators do. */
export type Operation = 'register' | 'sign-in' | 'me' | 'refresh' | Revocation;

/** The ways in which sessions end. */
export type Revocation = 'sign-out' | 'sign-out-all' | 'revoke' | 'revoke-all' | 'deactivate';

/** One request, as its client saw it. Times are of one clock, in milliseconds since the start of the run. */
export interface Attempt {
  operation: Operation;
  email: string;
  userId?: string | undefined;
  sessionId?: string | undefined;
  sentAt: number;
  answeredAt: number;
  /** 0 without a response. */
  status: number;
  code?: string | undefined;
  reason?: string | undefined;
  /** The refresh token that was presented. */
  token?: string | undefined;
  /** The refresh token of the response. */
  successor?: string | undefined;
}

export const isAcknowledged = ({ status }: Pick<Attempt, 'status'>): boolean => status >= 200 && status < 300;

/** No response, or one that does not say whether the request was carried out. */
export const isUncertain = ({ status }: Attempt): boolean => status === 0 || status >= 500;

const ENDS_SESSION = new Set<Operation>(['sign-out', 'revoke']);
const ENDS_ALL = new Set<Operation>(['sign-out-all', 'revoke-all', 'deactivate']);

/** Returns whether the request ends sessions. */
export const isRevocation = ({ operation }: Attempt): boolean =>
  ENDS_SESSION.has(operation) || ENDS_ALL.has(operation);

/** Returns whether the request ends the session, if it is carried out. */
export const covers = (revocation: Attempt, session: { sessionId: string; userId: string }): boolean =>
  ENDS_SESSION.has(revocation.operation)
    ? revocation.sessionId === session.sessionId
    : ENDS_ALL.has(revocation.operation) && revocation.userId === session.userId;

/** All requests of a run, in the order of their responses. */
export class Journal {
  readonly attempts: Attempt[] = [];

  add(attempt: Attempt): void {
    this.attempts.push(attempt);
  }
}

import type { Argon2Parameters } from './argon2-parameters.js';
import type { StoredHash } from './stored-hash.js';

/** Supported Argon2 libraries, the faster one first. */
export const HASHING_ENGINES = ['@node-rs/argon2', 'argon2'] as const;
export type HashingEngine = (typeof HASHING_ENGINES)[number];

/** Start parameters of a worker. */
export interface WorkerStart {
  /** Engines to try, in this order. */
  engines: readonly HashingEngine[];
}

/** The first message of a worker. */
export interface WorkerReady {
  engine: HashingEngine;
  /** True if the thread runs at a lower priority (Linux, with an engine that hashes inside the thread). */
  lowPriority: boolean;
  /** Engines that could not be loaded or failed the self-test, each with the reason. */
  passedOver: string[];
}

/** One job of a worker. */
export type HashingJob =
  | { kind: 'hash'; password: string; parameters: Argon2Parameters }
  /** The forms of one password are tried in their order. */
  | { kind: 'verify'; forms: readonly string[]; storedHash: StoredHash };

/** Message that asks a worker to end; no job follows it. */
export const STOP = 'stop';

/** Result of a job: the PHC string of a hash, or whether a verified password is correct. */
export type HashingResult = string | boolean;

/** A worker's response to one job. */
export type WorkerAnswer = { result: HashingResult } | { failure: string };

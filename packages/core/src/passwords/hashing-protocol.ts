import type { Argon2Parameters } from './argon2-parameters.js';

/** The libraries that can do the work; the faster one first. */
export const HASHING_ENGINES = ['@node-rs/argon2', 'argon2'] as const;
export type HashingEngine = (typeof HASHING_ENGINES)[number];

/** What a worker is started with. */
export interface WorkerStart {
  /** Engines to try, in this order. */
  engines: readonly HashingEngine[];
}

/** The first message of a worker. */
export interface WorkerReady {
  engine: HashingEngine;
  /** Whether the thread gives way to the request's threads (Linux, with an engine that works inside the thread). */
  lowPriority: boolean;
  /** Engines that are installed but did not pass, each with the reason. */
  passedOver: string[];
}

/** One piece of work. Passwords arrive normalised. */
export type HashingJob =
  | { kind: 'hash'; password: string; parameters: Argon2Parameters }
  | { kind: 'verify'; password: string; storedHash: string };

/** Sent in place of a job: there will be none any more. */
export const STOP = 'stop';

/** What a hash (the PHC string) or a verification (whether it fits) comes to. */
export type HashingResult = string | boolean;

/** A worker's answer to one job. */
export type WorkerAnswer = { result: HashingResult } | { failure: string };

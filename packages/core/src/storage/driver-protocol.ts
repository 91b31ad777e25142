import type { EventEmitter } from 'node:events';
import type pg from 'pg';

/**
 * Returns the part of the driver that speaks the protocol of PostgreSQL. It emits an event for each message of the server,
 * and an error on it fails every query of the connection. The types of the driver omit it.
 */
export const protocolOf = (connection: pg.ClientBase): EventEmitter =>
  (connection as unknown as { connection: EventEmitter }).connection;

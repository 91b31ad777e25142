import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { GuardedProcess } from './guarded-process.js';

const command = (script: string) => ({
  command: 'sh',
  args: ['-c', script],
  stopSignal: 'TERM' as const,
  readyWhen: /ready/,
  workingFolder: os.tmpdir(),
});

it('a program that ends before it is ready is an error with its output', async () => {
  const start = GuardedProcess.start(command('echo the disk is full; exit 3'));
  await expect(start).rejects.toThrow(/sh did not start.*the disk is full/s);
});

it('a program that does not exist is an error', async () => {
  const start = GuardedProcess.start({ ...command(''), command: '/does/not/exist' });
  await expect(start).rejects.toThrow(/did not start/);
});

it('a stop ends the program, deletes its scrap folder and may be repeated', async () => {
  const scrapFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-scrap-'));
  const server = await GuardedProcess.start({ ...command('echo ready; exec sleep 60'), scrapFolder });
  await server.stop();
  await server.stop();
  expect(server.running).toBe(false);
  expect(server.signal('SIGTERM')).toBe(false);
  expect(spawnSync('/bin/sh', ['-c', `kill -0 ${server.pid}`]).status).not.toBe(0);
  expect(fs.existsSync(scrapFolder)).toBe(false);
});

it('a program that ends by itself leaves its scrap folder for a restart', async () => {
  const scrapFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-scrap-'));
  const server = await GuardedProcess.start({ ...command('echo ready; exec sleep 60'), scrapFolder });
  server.signal('SIGKILL');
  await server.ended();
  expect(fs.existsSync(scrapFolder)).toBe(true);
  fs.rmdirSync(scrapFolder);
});

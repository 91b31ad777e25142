import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MadeOfFiles } from './made-of-files.js';

/** A source that is an hour old, and a product that counts how often it was made. */
function workshop() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'latchkey-made-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = path.join(folder, 'source');
  const product = path.join(folder, 'product');
  writeFileSync(source, '');
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(source, anHourAgo, anHourAgo);
  let made = 0;
  const make = () => {
    writeFileSync(product, String(++made));
    return Promise.resolve([source]);
  };
  const memory = { record: path.join(folder, 'cache/record.json'), product };
  return { source, product, memory, make, count: () => made };
}

it('what was made in an earlier run is made again only when a file of it has changed', async () => {
  const { source, memory, make, count } = workshop();
  await new MadeOfFiles(make, memory).renew();
  await new MadeOfFiles(make, memory).renew();
  expect(count()).toBe(1);
  writeFileSync(source, 'changed');
  await new MadeOfFiles(make, memory).renew();
  expect(count()).toBe(2);
});

it('what was made in an earlier run is made again when it, or a file of it, is gone', async () => {
  const { source, product, memory, make, count } = workshop();
  await new MadeOfFiles(make, memory).renew();
  rmSync(product);
  await new MadeOfFiles(make, memory).renew();
  expect(count()).toBe(2);
  rmSync(source);
  await new MadeOfFiles(make, memory).renew();
  expect(count()).toBe(3);
});

it('without a memory, each run makes it once', async () => {
  const { make, count } = workshop();
  for (let run = 0; run < 2; run++) {
    const made = new MadeOfFiles(make);
    await made.renew();
    await made.renew();
  }
  expect(count()).toBe(2);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  generateWebhookSecret,
  signatureOf,
  type SignedMessage,
} from '../../packages/core/src/webhooks/webhook-signature.js';
import { codeBlocks } from '../../tools/docs/code/page.js';
import { describeWith } from '../support/describe-with.js';

const PAGE = 'docs/webhooks.md';
const NOW = Math.floor(Date.now() / 1000);
const SECRET = generateWebhookSecret();
const OTHER = generateWebhookSecret();
const MESSAGE: SignedMessage = { id: 'msg-1', timestamp: NOW, body: '{"type":"user.created","name":"Zoë"}' };

/** A message as a receiver gets it. */
interface Request extends SignedMessage {
  signature: string;
}

const signed = (message: SignedMessage, secrets = [SECRET.bytes]): Request => ({
  ...message,
  signature: signatureOf(message, secrets),
});

const REQUESTS: [title: string, request: Request, isAccepted: boolean][] = [
  ['a message as it was sent', signed(MESSAGE), true],
  ['one of an hour with two secrets', signed(MESSAGE, [OTHER.bytes, SECRET.bytes]), true],
  ['one of four minutes ago', signed({ ...MESSAGE, timestamp: NOW - 240 }), true],
  ['one of six minutes ago', signed({ ...MESSAGE, timestamp: NOW - 360 }), false],
  ['one of the future', signed({ ...MESSAGE, timestamp: NOW + 360 }), false],
  ['one by another secret', signed(MESSAGE, [OTHER.bytes]), false],
  ['another body', { ...signed(MESSAGE), body: '{"type":"user.erased"}' }, false],
  ['another id', { ...signed(MESSAGE), id: 'msg-2' }, false],
  ['another time', { ...signed(MESSAGE), timestamp: NOW - 1 }, false],
  ['no signature', { ...MESSAGE, signature: '' }, false],
  [
    'a signature of another version',
    { ...MESSAGE, signature: signed(MESSAGE).signature.replace('v1,', 'v2,') },
    false,
  ],
];

/** What reads a request from the standard input, gives it to the page's function and prints the answer. */
const PROGRAMS = {
  python: {
    file: 'receiver.py',
    run: ['python3', 'main.py'],
    main: {
      name: 'main.py',
      text: `import json, sys
from receiver import verify
given = json.load(sys.stdin)
headers = {"webhook-id": given["id"], "webhook-timestamp": str(given["timestamp"]), "webhook-signature": given["signature"]}
print("true" if verify(given["secret"], headers, given["body"].encode()) else "false")
`,
    },
    more: {},
  },
  go: {
    file: 'receiver/receiver.go',
    run: ['go', 'run', '.'],
    main: {
      name: 'main.go',
      text: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"example.com/proof/receiver"
)

func main() {
	var given struct {
		Id, Signature, Body, Secret string
		Timestamp                   int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	header := http.Header{}
	header.Set("webhook-id", given.Id)
	header.Set("webhook-timestamp", strconv.FormatInt(given.Timestamp, 10))
	header.Set("webhook-signature", given.Signature)
	fmt.Println(receiver.Verify(given.Secret, header, []byte(given.Body)))
}
`,
    },
    more: { 'go.mod': 'module example.com/proof\n\ngo 1.19\n' },
  },
} as const;

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

describeReceiver('python', isThere('python3', '--version'), 'install python3');
describeReceiver('go', isThere('go', 'version'), 'install golang-go');

function describeReceiver(language: keyof typeof PROGRAMS, installed: boolean, install: string): void {
  const { file, run, main, more } = PROGRAMS[language];
  describeWith(
    { name: language, isThere: installed, install },
    `the receiver of ${PAGE} in ${language}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-receiver-'));
      afterAll(() => rmSync(folder, { recursive: true }));

      beforeAll(() => {
        const page = { file: PAGE, text: readFileSync(PAGE, 'utf8') };
        const [block] = codeBlocks(page).filter((each) => each.language === language);
        if (!block) throw new Error(`${PAGE} has no block in ${language}`);
        const files = { [file]: block.code, [main.name]: main.text, ...more };
        for (const [name, text] of Object.entries(files)) {
          const path = join(folder, name);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
      });

      it.each(REQUESTS)('the receiver decides rightly about %s', (_title, request, isAccepted) => {
        const [command, ...args] = run;
        const input = JSON.stringify({ ...request, secret: SECRET.text });
        const { stdout, stderr } = spawnSync(command, args, { cwd: folder, input, encoding: 'utf8' });
        expect(stderr).toBe('');
        expect(stdout.trim()).toBe(String(isAccepted));
      });
    },
  );
}

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { BreachListProgress, BuiltBreachList } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withNoun } from '../../runtime/count-words.js';
import { usingFiles } from '../../runtime/file-failure.js';
import { untilInterrupted } from '../../runtime/interruption.js';
import type { ProgressBar } from '../../runtime/progress.js';
import { assertReadable } from '../../runtime/readable-file.js';
import { sizeText } from '../../runtime/size-text.js';
import type { Terminal } from '../../runtime/terminal.js';

const LEAST_RATE = 0.00001;
const MOST_RATE = 0.05;

export function addBuildList(passwords: Command, terminal: Terminal): void {
  withCommonOptions(
    passwords
      .command('build-list')
      .description('Make the file for PASSWORD_BREACH_LIST from lists of SHA-1 hashes or of passwords.')
      .argument('<input...>', 'files with one hash or one password on each line')
      .option('--output <file>', 'the list to write', 'breached-passwords.list')
      .addOption(
        new Option('--format <format>', 'format of the input; detected by default').choices([
          'sha1',
          'words',
        ]),
      )
      .option(
        '--false-positives <share>',
        `share of other passwords that are rejected by mistake, ${MOST_RATE} at most; a smaller share makes a larger list`,
        readRate,
        0.001,
      ),
    {
      json: '{ file, inputs: [{ file, format, entries, skipped }], entries, bytes, falsePositiveRate }',
      quiet: 'print only the number of entries',
      notes:
        'Lines of hashes are HASH or HASH:count, as in the lists of Have I Been Pwned; lines of words are passwords ' +
        'in UTF-8 or Latin-1. Reads any length in bounded memory: while it works, it needs 8 bytes of disk for each ' +
        'entry beside the output. The list replaces an older one as a whole when it is complete. A list with a share ' +
        'of 0.001 has about 2 bytes an entry.',
      examples: [
        ['latchkey passwords build-list pwned-passwords-sha1.txt', 'a list of hashes'],
        [
          'latchkey passwords build-list hashes.txt words.txt --output /var/lib/latchkey/breached.list',
          'several lists, of both formats',
        ],
        ['unzip -p hashes.zip | latchkey passwords build-list /dev/stdin', 'from an archive'],
      ],
    },
  ).action(action(terminal, buildList));
}

async function buildList(
  call: Call<{ output: string; format?: 'sha1' | 'words'; falsePositives: number }>,
): Promise<void> {
  const { args: inputs, options, output, progress } = call;
  await Promise.all(inputs.map(assertReadable));
  const { buildBreachList } = await import('@latchkey/operations');
  const { output: file, format, falsePositives: falsePositiveRate } = options;
  await untilInterrupted(async (signal) => {
    try {
      const built = await progress.during('Making the list', (bar) =>
        usingFiles(file, () =>
          buildBreachList({
            inputs,
            output: file,
            format,
            falsePositiveRate,
            onProgress: (step) => draw(bar, step),
            signal,
          }),
        ),
      );
      output.answer({ view: built, text: describe(built), id: String(built.entries) });
      output.note(`To use it, set PASSWORD_BREACH_LIST=${file} and restart the service.`);
    } catch (error) {
      if (!signal.aborted) throw error;
      output.note('Interrupted. Nothing was written.');
    }
  });
}

/** Reading takes most of the time. */
const READING_SHARE = 90;
const MEGABYTE = 1_000_000;

function draw(bar: ProgressBar, { step, done, total }: BreachListProgress): void {
  if (total === undefined) bar.at(Math.round(done / MEGABYTE));
  else if (step === 'reading') bar.at(Math.round((done / total) * READING_SHARE), 100);
  else bar.at(READING_SHARE + Math.round((done / total) * (100 - READING_SHARE)), 100);
}

function describe({ file, inputs, entries, bytes, falsePositiveRate }: BuiltBreachList): string {
  const lines = inputs.map((input) => {
    const [one, many] = input.format === 'sha1' ? ['SHA-1 hash', 'SHA-1 hashes'] : ['password', 'passwords'];
    const skipped = input.skipped === 0 ? '' : `, ${withNoun(grouped(input.skipped), 'line')} too long`;
    return `Read ${withNoun(grouped(input.entries), one, many)} from ${input.file}${skipped}.`;
  });
  const oneIn = grouped(Math.round(1 / falsePositiveRate));
  return [
    ...lines,
    `Written: ${file}, ${withNoun(grouped(entries), 'entry', 'entries')}, ${sizeText(bytes)}.`,
    `False positives: 1 in ${oneIn} passwords that are not listed.`,
  ].join('\n');
}

const grouped = (count: number): string => count.toLocaleString('en-US');

function readRate(text: string): number {
  const rate = Number(text);
  if (rate >= LEAST_RATE && rate <= MOST_RATE) return rate;
  throw new InvalidArgumentError(`Give a share from ${LEAST_RATE} to ${MOST_RATE}, such as 0.001.`);
}

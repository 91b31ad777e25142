import type { RolePreviewInput, RolePreviewView } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { CommandError } from '../../runtime/failure.js';
import { readJsonFile } from '../../runtime/json-file.js';
import type { ListFormat } from '../../runtime/output.js';

/** Returns the change of a role to compare; undefined if the options name none. @throws CommandError for one option alone. */
export async function roleChangeOf({
  role,
  file,
}: {
  role?: string;
  file?: string;
}): Promise<{ key: string; input: RolePreviewInput } | undefined> {
  if (role === undefined && file === undefined) return undefined;
  if (role === undefined || file === undefined)
    throw CommandError.usage(
      '--role and --file go together.',
      'Give the key of the role and its new definition.',
    );
  return { key: role, input: (await readJsonFile(file)) as RolePreviewInput };
}

interface Line {
  userId: string;
  lost: string;
  gained: string;
}

const textOf = ({ modules, permissions, delegation }: RolePreviewView['members'][number]['gained']): string =>
  [...modules, ...permissions, ...delegation].join(' ');

const linesOf = ({ members }: RolePreviewView): Line[] =>
  members.map(({ userId, gained, lost }) => ({ userId, gained: textOf(gained), lost: textOf(lost) }));

/** Returns the number of members who would lose something. */
export const losingOf = (preview: RolePreviewView): number =>
  linesOf(preview).filter(({ lost }) => lost !== '').length;

/** Prints what the members of a role would gain and lose. */
export function showRolePreview(
  { output }: Pick<Call, 'output'>,
  view: RolePreviewView,
  { includeUnchanged }: { includeUnchanged: boolean },
): void {
  const lines = linesOf(view);
  const items = includeUnchanged ? lines : lines.filter(({ gained, lost }) => gained !== '' || lost !== '');
  output.list({ items, total: items.length, view }, ROLE_DIFFERENCES);
  const compared =
    view.members.length < view.total ? `; the newest ${view.members.length} were compared` : '';
  output.note(`${items.length} of ${view.total} members would have another access${compared}.`);
}

const ROLE_DIFFERENCES: ListFormat<Line> = {
  noun: 'changes',
  columns: [
    { title: 'USER', text: ({ userId }) => userId },
    {
      title: 'LOSES',
      text: ({ lost }) => lost,
      whenNarrow: 'shrink',
      style: ({ lost }) => (lost === '' ? undefined : 'red'),
    },
    { title: 'GAINS', text: ({ gained }) => gained, whenNarrow: 'shrink' },
  ],
  fields: ['userId', 'lost', 'gained'],
  id: ({ userId }) => userId,
};

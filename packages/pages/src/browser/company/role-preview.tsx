import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { roleMessages as messages } from '../../messages/en/company.js';

const keysOf = ({ modules, permissions, delegation }: Schemas['RoleKeys']): string[] => [
  ...modules,
  ...permissions,
  ...delegation,
];

/** Returns how many members a change gives each key, or takes it from. */
function countsOf(
  members: Schemas['RolePreview']['members'],
  kind: 'gained' | 'lost',
): [key: string, count: number][] {
  const counts = new Map<string, number>();
  for (const member of members)
    for (const key of keysOf(member[kind])) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].toSorted(([one], [other]) => one.localeCompare(other));
}

/** The rights that the members of a role would gain and lose. */
export function RolePreview({ preview }: { preview: Schemas['RolePreview'] }): VNode {
  const { members, total, fallsBackToTemplate } = preview;
  const changed = members.filter(
    ({ gained, lost }) => keysOf(gained).length > 0 || keysOf(lost).length > 0,
  ).length;
  return (
    <>
      <p class="dialog-text">
        {total === 0 ? messages.noMembers : messages.affected(changed, total)}
        {fallsBackToTemplate && ` ${messages.toTemplate}`}
      </p>
      <Keys title={messages.gained} counts={countsOf(members, 'gained')} />
      <Keys title={messages.lost} counts={countsOf(members, 'lost')} />
    </>
  );
}

function Keys({ title, counts }: { title: string; counts: [key: string, count: number][] }): VNode | null {
  if (counts.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="key-counts">
        {counts.map(([key, count]) => (
          <li key={key}>
            <code>{key}</code> <span class="hint">{messages.membersAre(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { companyMessages as frame, memberMessages as messages } from '../../messages/en/company.js';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { client } from '../client.js';
import { defined, keyOf } from '../console/use-query.js';
import { PAGE_REGION } from '../page-region.js';
import { Avatar } from '../ui/avatar.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { List, Row, Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { ExplainDialog } from './explain-dialog.js';
import { FinanceDialog } from './finance-dialog.js';
import { MemberDialog } from './member-dialog.js';
import { Choice, Listed, PAGE_SIZE, Pager, Search } from './parts.js';
import { mayEdit, mayIn } from './rights.js';
import { companyFailureText, nameOf, roleText } from './texts.js';
import { useRoles, type DefinedRole } from './use-roles.js';

export type Member = Schemas['CompanyUser'];

const DATES = new Intl.DateTimeFormat(PAGE_REGION, { dateStyle: 'medium' });
const SEARCH_AFTER_MS = 250;
const MOST_MODULES = 4;

type Asked = { member: Member; about: 'edit' | 'finance' | 'end' | 'explain' };

/** The active members, found by name, email or role, and what can be done with each. */
export function MembersView(): VNode {
  const [search, setSearch] = useState('');
  const [role, setRole] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked>();
  const roles = useRoles();
  const { members, isFiltered } = useMembers(useSettled(search), role, page);
  const find = (change: () => void): void => {
    change();
    setPage(1);
  };
  return (
    <Section title={messages.title} lead={members.total !== undefined && messages.total(members.total)}>
      <div class="filters">
        <Search label={messages.search} value={search} onInput={(text) => find(() => setSearch(text))} />
        <Choice
          label={messages.role}
          value={role}
          options={[
            ['', messages.anyRole],
            ...roles.keys.map((key) => [key, roleText(key, roles.defined)] as const),
          ]}
          onChange={(key) => find(() => setRole(key))}
        />
      </div>
      <Listed query={members} empty={isFiltered ? messages.noneFound : messages.none}>
        {(items) => (
          <List label={messages.title}>
            {items.map((member) => (
              <MemberRow key={member.id} member={member} defined={roles.defined} onAsk={setAsked} />
            ))}
          </List>
        )}
      </Listed>
      <Pager page={page} total={members.total} onPage={setPage} />
      {asked && (
        <MemberDialogs
          {...asked}
          roles={roles}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            members.reload();
          }}
        />
      )}
    </Section>
  );
}

/** Loads a page of the members that are looked for. */
function useMembers(search: string, role: string, page: number) {
  const { company } = useCompany();
  const query = defined({
    search: search.trim(),
    role,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  const members = useCompanyQuery(keyOf(company.id, query), (signal) =>
    client.request('GET', '/internal/companies/{companyId}/users', {
      path: { companyId: company.id },
      query,
      signal,
    }),
  );
  return { members, isFiltered: query.search !== undefined || query.role !== undefined };
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function MemberRow({
  member,
  defined: roles,
  onAsk,
}: {
  member: Member;
  defined: readonly DefinedRole[];
  onAsk: (asked: Asked) => void;
}): VNode {
  const { authority, me } = useCompany();
  const { email, fullName, membership } = member;
  const name = nameOf(member);
  const mayChange = mayIn(authority, 'manage') && mayEdit(authority, { ...member, role: membership.role });
  const button = (about: Asked['about'], text: string, label: string) => (
    <Button label={label} onPress={() => onAsk({ member, about })}>
      {text}
    </Button>
  );
  return (
    <Row
      avatar={<Avatar user={{ ...member, name: fullName }} />}
      title={name}
      badge={member.id === me.id ? messages.you : roleText(membership.role, roles)}
      details={[
        fullName !== null && email,
        member.id === me.id && roleText(membership.role, roles),
        modulesText(membership.moduleGrants),
        financeText(membership),
        messages.since(DATES.format(new Date(membership.createdAt))),
      ]}
      actions={
        <>
          {button('explain', messages.explain, messages.explainOf(name))}
          {mayChange && (
            <>
              {button('edit', messages.edit, messages.editOf(name))}
              {button('finance', messages.finance, messages.financeOf(name))}
              {button('end', messages.end, messages.endOf(name))}
            </>
          )}
        </>
      }
    />
  );
}

function modulesText(keys: readonly string[]): string | false {
  if (keys.length === 0) return false;
  const more = keys.length - MOST_MODULES;
  return messages.modulesAre(keys.slice(0, MOST_MODULES).join(', ') + (more > 0 ? ` +${more}` : ''));
}

function financeText({ financeRole, approvalLimit }: Member['membership']): string | false {
  if (financeRole === null) return false;
  const limit = approvalLimit === null ? messages.noLimit : messages.limitOf(approvalLimit);
  return `${names.finance[financeRole]}, ${limit}`;
}

interface MemberDialogsProps extends Asked {
  roles: ReturnType<typeof useRoles>;
  onClose: () => void;
  onDone: () => void;
}

function MemberDialogs({ about, ...props }: MemberDialogsProps): VNode {
  if (about === 'edit') return <MemberDialog {...props} />;
  if (about === 'finance') return <FinanceDialog {...props} />;
  if (about === 'explain') return <ExplainDialog {...props} />;
  return <EndDialog {...props} />;
}

/** Asks before a membership is ended. */
function EndDialog({ member, onClose, onDone }: Omit<MemberDialogsProps, 'about' | 'roles'>): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const end = () =>
    act(
      () => client.companies.saveMembership(company.id, { userId: member.id, isActive: false }),
      () => {
        announce(messages.ended);
        onDone();
      },
    );
  return (
    <ConfirmDialog
      title={messages.endTitle(nameOf(member))}
      action={messages.end}
      textOf={companyFailureText}
      onConfirm={end}
      onClose={onClose}
    >
      {messages.endText(company.name ?? frame.thisCompany)}
    </ConfirmDialog>
  );
}

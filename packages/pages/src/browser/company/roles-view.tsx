import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { roleMessages as messages } from '../../messages/en/company.js';
import { Button } from '../ui/button.js';
import { List, Row, Section } from '../ui/section.js';
import { useCompany } from './company.js';
import { Listed } from './parts.js';
import { RemoveRoleDialog } from './remove-role-dialog.js';
import { mayIn } from './rights.js';
import { RoleDialog } from './role-dialog.js';
import { useRoles, type DefinedRole } from './use-roles.js';

type Asked = { about: 'define' } | { about: 'edit' | 'remove'; role: DefinedRole };

/** The defined roles with what they contain. A change shows what members gain and lose before it is saved. */
export function RolesView(): VNode {
  const { authority } = useCompany();
  const roles = useRoles();
  const [asked, setAsked] = useState<Asked>();
  const mayChange = mayIn(authority, 'manage');
  const closing = {
    onClose: () => setAsked(undefined),
    onDone: () => {
      setAsked(undefined);
      roles.query.reload();
    },
  };
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        mayChange && (
          <Button rank="primary" onPress={() => setAsked({ about: 'define' })}>
            {messages.define}
          </Button>
        )
      }
    >
      <Listed query={roles.query} empty={messages.none}>
        {(items) => (
          <List label={messages.title}>
            {items.map((role) => (
              <RoleRow key={role.key} role={role} onAsk={mayChange ? setAsked : undefined} />
            ))}
          </List>
        )}
      </Listed>
      {asked?.about === 'define' && <RoleDialog {...closing} />}
      {asked?.about === 'edit' && <RoleDialog role={asked.role} {...closing} />}
      {asked?.about === 'remove' && (
        <RemoveRoleDialog role={asked.role} others={roles.givable} {...closing} />
      )}
    </Section>
  );
}

function RoleRow({
  role,
  onAsk,
}: {
  role: DefinedRole;
  /** Missing for those who only read. */
  onAsk: ((asked: Asked) => void) | undefined;
}): VNode {
  const { key, name, description, modules, permissions, delegation, members, isTemplate } = role;
  return (
    <Row
      title={name}
      badge={isTemplate ? messages.template : key}
      details={[
        description,
        messages.membersAre(members),
        modules.length > 0 && messages.modulesAre(modules.join(', ')),
        permissions.length > 0 && messages.permissionsAre(permissions.join(', ')),
        delegation.canManageUsers && messages.mayInvite,
      ]}
      actions={
        onAsk && (
          <>
            <Button
              label={isTemplate ? messages.replaceOf(name) : messages.editOf(name)}
              onPress={() => onAsk({ about: 'edit', role })}
            >
              {isTemplate ? messages.replace : messages.edit}
            </Button>
            {!isTemplate && (
              <Button label={messages.removeOf(name)} onPress={() => onAsk({ about: 'remove', role })}>
                {messages.remove}
              </Button>
            )}
          </>
        )
      }
    />
  );
}

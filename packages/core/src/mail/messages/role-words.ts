/** Returns a role as people write it: `Tenant superadmin` for `TENANT_SUPERADMIN`. */
export function roleInWords(role: string): string {
  const words = role.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

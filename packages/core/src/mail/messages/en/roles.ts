/** Roles as people write them. */
export const roleTexts = {
  /** `Tenant superadmin` for `TENANT_SUPERADMIN`. */
  role(name: string): string {
    const words = name.toLowerCase().replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
};

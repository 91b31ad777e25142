interface ProfileFieldDefinition {
  /** Its column in `users`. */
  readonly column: string;
  /** Its name on a terminal; fields of the same label are shown as one. */
  readonly label: string;
}

/**
 * The fields of a profile that may be empty, each declared here once: rows, columns, patches, views and the CLI
 * derive from this table, and `user-schema.ts` does not compile without the schema of a new field.
 */
export const PROFILE_FIELDS = {
  phonePrefix: { column: 'phone_prefix', label: 'phone' },
  phoneNumber: { column: 'phone_number', label: 'phone' },
  profilePictureUrl: { column: 'profile_picture_url', label: 'picture' },
  locale: { column: 'locale', label: 'language' },
} as const satisfies Record<string, ProfileFieldDefinition>;

/** The name of a field of a profile that may be empty. */
export type ProfileField = keyof typeof PROFILE_FIELDS;

type ProfileColumn = (typeof PROFILE_FIELDS)[ProfileField]['column'];

/** The values of a profile; null for a field that is empty. */
export type ProfileValues = Record<ProfileField, string | null>;

/** The columns of a profile in a row of `users`. */
export type ProfileColumns = Record<ProfileColumn, string | null>;

const FIELDS = Object.keys(PROFILE_FIELDS) as ProfileField[];

export const PROFILE_COLUMNS: readonly ProfileColumn[] = FIELDS.map((field) => PROFILE_FIELDS[field].column);

/** Returns an object with one entry for each field of a profile. */
export const mapProfile = <Value>(valueOf: (field: ProfileField) => Value): Record<ProfileField, Value> =>
  Object.fromEntries(FIELDS.map((field) => [field, valueOf(field)])) as Record<ProfileField, Value>;

/** Returns the columns to write: undefined leaves a column alone, an empty text clears it. */
export const columnsOfProfile = (
  values: Partial<Record<ProfileField, string | null | undefined>>,
): Record<ProfileColumn, string | null | undefined> =>
  Object.fromEntries(
    FIELDS.map((field) => [PROFILE_FIELDS[field].column, values[field] === '' ? null : values[field]]),
  ) as Record<ProfileColumn, string | null | undefined>;

/** Returns the fields that are not empty. */
export const filledProfile = (values: ProfileValues): Partial<Record<ProfileField, string>> =>
  Object.fromEntries(
    FIELDS.flatMap((field) => (values[field] === null ? [] : [[field, values[field]] as const])),
  );

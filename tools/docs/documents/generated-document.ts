/** A file of the repository that is written from code and never by hand. */
export interface GeneratedDocument {
  /** From the root of the repository. */
  path: string;
  render: () => string | Promise<string>;
}

/** A defect that is planted on purpose, to see whether a test notices that a promise is broken. */
export interface Mutation {
  /** The promise that it breaks: its text in docs/threat-model.md, without the bullet. */
  promise: string;
  /** The defect in a few words, such as "reuse does not revoke the session". */
  defect: string;
  /** Path of the source file, from the root of the repository. */
  file: string;
  /** Text that occurs once in the file. */
  from: string;
  /** Text that takes its place. The result must compile. */
  to: string;
}

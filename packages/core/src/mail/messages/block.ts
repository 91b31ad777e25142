/** A link with its text. */
export interface Link {
  label: string;
  url: string;
}

/** One block of a mail: a paragraph, or a link on a line of its own; as a button unless it is secondary. */
export type Block = string | (Link & { isSecondary?: true });

/** One block of a mail: a paragraph, or a link on a line of its own; as a button unless it is secondary. */
export type Block = string | { label: string; url: string; isSecondary?: true };

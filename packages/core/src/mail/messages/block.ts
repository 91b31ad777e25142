/** One block of a mail: a paragraph, or a link on a line of its own. */
export type Block = string | { label: string; url: string };

/** A mail in its final form. Subject and text are already free of control characters. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** The URLs of its links, in order. */
  links: string[];
}

/** Texts around every mail. */
export const frameTexts = {
  /** The name is null if the mail must not contain it. */
  greeting: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
  /** The reason is the clause after "because". */
  footer: ({ product, reason }: { product: string; reason: string }) =>
    `Sent by ${product}. You receive this email because ${reason}.`,
  orOpen: 'Or open this address:',
  /** The link to the help of the operator. */
  support: 'Get help',
};

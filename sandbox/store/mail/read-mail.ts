import PostalMime from "postal-mime";

/** The parts of a mail that an inbox shows. */
export interface ReadMail {
  subject: string;
  text: string;
  html: string | null;
}

/** Reads a mail as it came over the wire; attachments are left out. */
export async function readMail(source: Buffer): Promise<ReadMail> {
  const { subject = "", text = "", html } = await PostalMime.parse(source);
  // The library ends every part with a line break, whether or not the sender did.
  return { subject, text: text.replace(/\n+$/, "\n"), html: html?.trimEnd() ?? null };
}

export interface MailDocument {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  /** Header fields by name in lower case, as a mail program reads them; of the app's mails alone. */
  headers?: Record<string, string>;
  at: string;
  sequence: number;
}

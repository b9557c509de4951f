export interface MailDocument {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  at: string;
  sequence: number;
}

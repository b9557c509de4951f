/** Where a visitor's pages are: under a link's own address, or under a shop's theme. */
export interface PageContext {
  /** The beginning of every address of these pages. */
  base: string;
  /** Goes with every form, and proves that the form is one of ours (docs/decisions/0016). */
  formToken: string;
  /** The shop's. */
  timeZone: string;
}

export const FORM_TOKEN = "form_token";

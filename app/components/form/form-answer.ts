/** What an action answers to a form. */
export interface FormAnswer {
  /** Which form was sent: its intent, and whatever else tells it from its neighbours. */
  form: string;
  /** Field → sentence. None when it was done. */
  errors?: Record<string, string>;
  /** What to tell the person in passing. */
  toast?: string;
  toastIsError?: boolean;
}

/** An action's answer to a form. */
export interface FormAnswer {
  /** The form that was sent: its intent, and whatever else tells it from its neighbours. */
  form: string;
  /** Field → sentence. None when it was done. */
  errors?: Record<string, string>;
  /** A link that was made, to be copied. */
  link?: string;
  /** A short message to the person. */
  toast?: string;
  /** It wasn't done: shown in a banner instead. */
  toastIsError?: boolean;
}

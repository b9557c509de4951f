/** Which form of the page an answer is for: there is one for each environment. */
export const connectionForm = (environment: string) => `connection ${environment}`;
export const POLICIES_FORM = "policies";
export const REMINDERS_FORM = "reminders";

/**
 * The names of the settings' forms. They stand apart from what reads the forms: browsers need the names and not the
 * readers.
 */

/** There is one for each environment. */
export const connectionForm = (environment: string) => `connection ${environment}`;
/** Each page has one form of policies at most. */
export const POLICIES_FORM = "policies";
export const REMINDERS_FORM = "reminders";
export const ORDER_IMPORT_FORM = "order-import";
export const IMPORT_FORM = "import-order";
export const RETENTION_FORM = "retention";
export const NOTICE_FORM = "notice";
/** There is one for each recipient, and one to add another. */
export const alertsForm = (id: string) => `alerts ${id}`;

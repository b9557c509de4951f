import type { Fields } from "../../components/form/use-fields.ts";

/** The props of a card whose fields belong to a form around it. */
export interface FormPart<Values extends Record<string, string | boolean | string[]>> {
  fields: Fields<Values>;
  errors: Record<string, string>;
}

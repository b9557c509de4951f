import type { Fields } from "../../components/form/use-fields.ts";

/** The props of a card whose fields belong to a form around it. */
export interface FormPart<Values extends Record<string, string | boolean | string[]>> {
  fields: Fields<Values>;
  errors: Record<string, string>;
}

/** The props of a text field of such a card, by the field's name. */
export const textField = <Name extends string>(
  {
    fields,
    errors,
  }: {
    fields: {
      values: Record<NoInfer<Name>, string>;
      set(name: NoInfer<Name>): (value: string) => void;
    };
    errors: Record<string, string>;
  },
  name: Name,
) => ({
  name,
  value: fields.values[name],
  onChange: fields.set(name),
  error: errors[name],
  autoComplete: "off",
});

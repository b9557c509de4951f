interface ValueProblem {
  field: "type" | "value";
  code: "INVALID_TYPE" | "INVALID_VALUE";
  message: string;
}

const isJson = (value: string): boolean => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};

/** Metafield types that the store can check; Shopify has more. */
const checks = new Map<string, (value: string) => boolean>([
  ["single_line_text_field", (value) => !value.includes("\n")],
  ["multi_line_text_field", () => true],
  ["number_integer", (value) => /^-?\d{1,16}$/.test(value)],
  ["number_decimal", (value) => /^-?\d+(\.\d{1,9})?$/.test(value)],
  ["boolean", (value) => value === "true" || value === "false"],
  ["date", (value) => /^\d{4}-\d{2}-\d{2}$/.test(value)],
  ["date_time", (value) => /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))],
  ["json", isJson],
  ["url", (value) => URL.canParse(value)],
  ["list.single_line_text_field", (value) => isJson(value) && Array.isArray(JSON.parse(value))],
]);

/** Why Shopify would refuse the value, or undefined. */
export function valueProblem(type: string, value: string): ValueProblem | undefined {
  const isValid = checks.get(type);
  if (!isValid)
    return {
      field: "type",
      code: "INVALID_TYPE",
      message: `Type ${type} is not one of the types that the sandbox knows.`,
    };
  if (isValid(value)) return undefined;
  return { field: "value", code: "INVALID_VALUE", message: `Value must be a valid ${type}.` };
}

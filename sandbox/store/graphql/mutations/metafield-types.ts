interface ValueProblem {
  field: "type" | "value";
  code: "INVALID_TYPE" | "INVALID_VALUE" | "TOO_LONG";
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

const isDay = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

const isWebAddress = (value: string): boolean =>
  URL.canParse(value) && /^(https?|mailto|sms|tel):$/.test(new URL(value).protocol);

/** Shopify's limits (shopify.dev, Metafield limits): bytes of a value by its type, and entries of a list. */
const maxBytes = new Map([
  ["json", 128 * 1024],
  ["url", 2 * 1024],
]);
const maxOtherBytes = 64 * 1024;
const maxEntries = 128;

const isListOfTexts = (value: string): boolean => {
  const entries: unknown = isJson(value) ? JSON.parse(value) : null;
  return (
    Array.isArray(entries) &&
    entries.length <= maxEntries &&
    entries.every((entry) => typeof entry === "string" && !entry.includes("\n"))
  );
};

const maxBytesOf = (type: string): number =>
  type.startsWith("list.") ? maxEntries * maxOtherBytes : (maxBytes.get(type) ?? maxOtherBytes);

/** Metafield types that the store can check; Shopify has more. */
const checks = new Map<string, (value: string) => boolean>([
  ["single_line_text_field", (value) => !value.includes("\n")],
  ["multi_line_text_field", () => true],
  ["number_integer", (value) => /^-?\d{1,16}$/.test(value)],
  ["number_decimal", (value) => /^-?\d+(\.\d{1,9})?$/.test(value)],
  ["boolean", (value) => value === "true" || value === "false"],
  ["date", isDay],
  ["date_time", (value) => /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))],
  ["json", isJson],
  ["url", isWebAddress],
  ["list.single_line_text_field", isListOfTexts],
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
  if (Buffer.byteLength(value) > maxBytesOf(type))
    return {
      field: "value",
      code: "TOO_LONG",
      message: `Value is too long for ${type}: at most ${maxBytesOf(type)} bytes.`,
    };
  if (isValid(value)) return undefined;
  return { field: "value", code: "INVALID_VALUE", message: `Value must be a valid ${type}.` };
}

type Replacements = Record<string, unknown>;

/** `shopify.i18n` over the extension's own locale file. */
export function createI18n(
  translations: Record<string, unknown>,
  options: { locale: string; currencyCode: string },
) {
  const { locale, currencyCode } = options;
  const strip = <Options extends object>(
    given: Options & { inExtensionLocale?: boolean } = {} as Options,
  ) => {
    const { inExtensionLocale: _, ...rest } = given;
    return rest;
  };
  return {
    translate: (key: string, replacements: Replacements = {}) =>
      translate(translations, key, replacements, locale),
    formatNumber: (value: number | bigint, given?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(locale, strip(given)).format(value),
    formatCurrency: (value: number | bigint, given?: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(locale, {
        style: "currency",
        currency: currencyCode,
        ...strip(given),
      }).format(value),
    formatDate: (date: Date, given?: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, strip(given)).format(date),
  };
}

/** A string, or an array when a replacement is an element rather than text. A missing key answers itself. */
function translate(
  translations: Record<string, unknown>,
  key: string,
  replacements: Replacements,
  locale: string,
): unknown {
  let found: unknown = key
    .split(".")
    .reduce<unknown>((place, part) => (isRecord(place) ? place[part] : undefined), translations);
  if (isRecord(found) && typeof replacements.count === "number") {
    found = found[new Intl.PluralRules(locale).select(replacements.count)] ?? found.other;
  }
  if (typeof found !== "string") return key;
  const parts = found.split(/\{\{\s*([\w.]+)\s*\}\}/);
  const filled = parts.map((part, index) => (index % 2 === 0 ? part : (replacements[part] ?? "")));
  const isText = filled.every((part) => typeof part !== "object");
  return isText ? filled.join("") : filled.filter((part) => part !== "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

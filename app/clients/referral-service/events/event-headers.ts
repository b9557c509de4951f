/** Headers of a delivery as Node gives them. */
export type EventHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header whatever its case; null when it is missing, empty or sent more than once. */
export function headerValue(headers: EventHeaders, name: string): string | null {
  const wanted = name.toLowerCase();
  const exact = headers[wanted];
  const value =
    exact ?? Object.entries(headers).find(([header]) => header.toLowerCase() === wanted)?.[1];
  return typeof value === "string" && value !== "" ? value : null;
}

/** `12350` → `$123.50` */
export function formatMoney(cents: number, currencyCode = "AUD"): string {
  return new Intl.NumberFormat("en-AU", { style: "currency", currency: currencyCode }).format(
    cents / 100,
  );
}

/** `2026-11-20T10:41:00Z` → `20 Nov 2026, 9:41 pm`, in the shop's time zone. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat("en-AU", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "Australia/Sydney",
  }).format(new Date(iso));
}

/** `PARTIALLY_REFUNDED` → `Partially refunded` */
export function formatStatus(status: string): string {
  const words = status.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `gid://shopify/Order/1001` → `1001` */
export function numericId(gid: string): string {
  return gid.split("?")[0]?.split("/").pop() ?? gid;
}

/** `1 item`, `3 items` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * The part of Shopify's globals `shopify` and `navigation` that the order status page and the full page have in
 * common. The shared code needs no more of its host.
 */
export interface Host {
  i18n: {
    translate(key: string, values?: Record<string, string | number>): string;
    formatDate(date: Date, options?: Intl.DateTimeFormatOptions): string;
    formatNumber(value: number, options?: Intl.NumberFormatOptions): string;
  };
  sessionToken: { get(): Promise<string> };
  /** Leaves the page for an address. */
  navigate(address: string): void;
}

export const hostOf = (
  { i18n, sessionToken }: Pick<Host, "i18n" | "sessionToken">,
  navigation: { navigate(address: string): void },
): Host => ({ i18n, sessionToken, navigate: (address) => navigation.navigate(address) });

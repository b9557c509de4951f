/** The outlines that the admin's pages have: what is drawn of one before it is there. */
export interface PageShape {
  kind: "home" | "index" | "detail" | "settings" | "form";
  /** The page's heading, where the address alone says it. */
  title?: string;
  /** Whether the page leads back to the one above it. */
  isBelow?: boolean;
}

const PAGES: readonly [RegExp, PageShape][] = [
  [/^\/app\/?$/, { kind: "home", title: "Home" }],
  [/^\/app\/attention$/, { kind: "index", title: "Needs attention" }],
  [/^\/app\/reviews$/, { kind: "index", title: "Results to review" }],
  [/^\/app\/referrals$/, { kind: "index", title: "Orders and referrals" }],
  [/^\/app\/mappings$/, { kind: "index", title: "Product mapping" }],
  [/^\/app\/settings$/, { kind: "settings", title: "Settings" }],
  [/^\/app\/settings\/connection$/, { kind: "settings", title: "Connection", isBelow: true }],
  [/^\/app\/settings\/orders$/, { kind: "settings", title: "Orders", isBelow: true }],
  [/^\/app\/settings\/results$/, { kind: "settings", title: "Results and release", isBelow: true }],
  [/^\/app\/settings\/notifications$/, { kind: "settings", title: "Notifications", isBelow: true }],
  [/^\/app\/settings\/privacy$/, { kind: "settings", title: "Privacy", isBelow: true }],
  [/^\/app\/settings\/store$/, { kind: "settings", title: "Store", isBelow: true }],
  [/^\/app\/simulation$/, { kind: "form", title: "Simulation" }],
  [/^\/app\/dry-run$/, { kind: "form", title: "Dry run", isBelow: true }],
  [/^\/app\/practitioners$/, { kind: "form", title: "Practitioners", isBelow: true }],
  [/^\/app\/mappings\/import$/, { kind: "form", title: "Import mappings", isBelow: true }],
  [/\/results$/, { kind: "form", title: "Results", isBelow: true }],
];

/** The outline of the page at an address, given by its path; pages of one order, product or run are the rest. */
export function pageShape(path: string): PageShape {
  const known = PAGES.find(([pattern]) => pattern.test(path));
  return known?.[1] ?? { kind: "detail", isBelow: true };
}

import inter500 from "@fontsource/inter/files/inter-latin-500-normal.woff2?url";
import inter600 from "@fontsource/inter/files/inter-latin-600-normal.woff2?url";
import type { LinkDescriptor } from "@remix-run/node";
import polaris from "@shopify/polaris/build/esm/styles.css?url";
import embedded from "./embedded.css?url";
import inter from "./inter.css?url";

const font = (href: string): LinkDescriptor => ({
  rel: "preload",
  as: "font",
  type: "font/woff2",
  crossOrigin: "anonymous",
  href,
});

/** Style sheets and fonts of the embedded pages. */
export const documentLinks: LinkDescriptor[] = [
  font(inter500),
  font(inter600),
  { rel: "stylesheet", href: inter },
  { rel: "stylesheet", href: polaris },
  { rel: "stylesheet", href: embedded },
];

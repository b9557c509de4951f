import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";

declare module "@remix-run/server-runtime" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    // Tests import loaders and actions directly.
    !process.env.VITEST &&
      remix({
        appDirectory: "app",
        ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
        future: {
          v3_fetcherPersist: true,
          v3_relativeSplatPath: true,
          v3_throwAbortReason: true,
          v3_lazyRouteDiscovery: true,
          v3_singleFetch: true,
        },
      }),
  ],
  build: { assetsInlineLimit: 0 },
  // Hundreds of components and icons, each in a file of its own: only what the pages use is built in.
  ssr: {
    noExternal: [
      "@shopify/polaris",
      "@shopify/polaris-icons",
      "@shopify/polaris-tokens",
      "@shopify/shopify-app-remix",
    ],
  },
});

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const entry = fileURLToPath(new URL("shared/app-url.ts", import.meta.url));

/** Builds as Shopify's command line does, and answers the address in a place without Node's `process`. */
async function addressIn(define: Record<string, string>): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "built",
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  return new Function("process", `${outputFiles[0]?.text}; return built.appUrl;`)(undefined);
}

test("a bundle calls the tunnel in development, and the configured address in every other build", async () => {
  const tunnel = JSON.stringify("https://tunnel.trycloudflare.com/");
  expect(await addressIn({ "process.env.APP_URL": tunnel })).toBe(
    "https://tunnel.trycloudflare.com",
  );
  expect(await addressIn({})).toMatch(/^https:\/\/pathway\.example$|^https:\/\/[^/]+$/);
});

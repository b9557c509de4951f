import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const deploy = fileURLToPath(new URL("deploy.mjs", import.meta.url));

/** Asks for a check of a deployment, which ends before anything is built: the configurations named here cannot be deployed. */
function check(args: string[], env: Record<string, string> = {}) {
  const done = spawnSync(process.execPath, [deploy, "--check", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status: done.status, said: done.stderr };
}

test.each([[["--config", "nowhere"]], [["--config=nowhere"]], [["-c", "nowhere"]]])(
  "%s names the configuration, and never the one without a name",
  (args) => {
    const { status, said } = check(args);
    expect(status).toBe(1);
    expect(said).toContain("shopify.app.nowhere.toml cannot be deployed");
    expect(said).not.toContain("shopify.app.toml cannot");
  },
);

test.each([[["--config"]], [["--config", "--check"]], [["--confg", "live"]], [["live"]]])(
  "%s is refused, not taken for the configuration without a name",
  (args) => {
    const { status, said } = check(args);
    expect(status).toBe(1);
    expect(said).toContain("npm run deploy -- [--config NAME] [--check]");
    expect(said).not.toContain("building");
  },
);

test("an address from the environment, meant for this machine, reaches no bundle that is deployed", () => {
  const { status, said } = check([], { PATHWAY_APP_URL: "http://localhost:3000" });
  expect(status).toBe(1);
  expect(said).toContain("PATHWAY_APP_URL");
});

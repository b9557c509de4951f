import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { fillReferrals } from "../../sandbox/referral-service/testing/fill-referrals.ts";
import { startProgram } from "../processes.ts";

const MAIN = fileURLToPath(new URL("../../sandbox/referral-service/main.ts", import.meta.url));

const readyLine = z.object({
  base_url: z.url(),
  auth_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
});

export interface ListedService extends AsyncDisposable {
  baseUrl: string;
  authUrl: string;
  credentials: { clientId: string; clientSecret: string };
}

/** The sandbox's referral service in a process of its own, with so many issued referrals written to its storage. */
export async function listedService(referrals: number): Promise<ListedService> {
  const data = mkdtempSync(join(tmpdir(), "pathway-bench-listed-"));
  fillReferrals(data, referrals);
  const lines: string[] = [];
  const args = [MAIN, "--port", "0", "--pace", "instant", "--data", data];
  const program = await startProgram(args, {}, async ({ stdout }) => {
    if (!stdout) throw new Error("nothing can be read from the service");
    const [line] = await once(createInterface({ input: stdout }), "line");
    lines.push(String(line));
    stdout.resume();
  });
  const ready = readyLine.parse(JSON.parse(lines[0] ?? ""));
  return {
    baseUrl: ready.base_url,
    authUrl: ready.auth_url,
    credentials: { clientId: ready.client_id, clientSecret: ready.client_secret },
    async [Symbol.asyncDispose]() {
      await program.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { SELF_SIGNED } from "../../clients/referral-service/testing/self-signed.ts";
import { migrate } from "./migrate.ts";

const db = await openTestDatabase();
const real = new URL(db.url);
/** The port is the end of a socket's name. */
const SOCKET = ".s.PGSQL.5432";
/** The request of a client that wants TLS: eight bytes. */
const WANTS_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Hands what comes to the real server. Without `tls` as it is; with it only what comes by TLS, as managed servers do. */
async function serverBefore(listenAt: string | number, { tls }: { tls: boolean }) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const through = (socket: Socket) => {
      const upstream = connect(Number(real.port), real.hostname);
      open.add(upstream);
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const)
        from.on("error", () => to.destroy()).pipe(to);
    };
    open.add(client);
    if (!tls) return through(client);
    client.once("data", (first) => {
      if (!first.equals(WANTS_TLS)) return client.destroy();
      client.write("S");
      through(new TLSSocket(client, { isServer: true, ...SELF_SIGNED }));
    });
  });
  server.listen(listenAt);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return server.address();
}

async function forgetLastMigration(): Promise<() => Promise<boolean>> {
  const last = "20261123140100_loop_heartbeats";
  await db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [last]);
  await db.pool.query("DROP TABLE loop_heartbeats");
  await db.pool.query("ALTER TABLE outbox DROP COLUMN created_at");
  return async () => {
    const { rows } = await db.pool.query("SELECT to_regclass('loop_heartbeats') AS table");
    return rows[0].table !== null;
  };
}

test("migrates a server that takes nobody without TLS", async () => {
  const isThere = await forgetLastMigration();
  const { port } = (await serverBefore(0, { tls: true })) as AddressInfo;
  const url = `postgresql://${real.username}@127.0.0.1:${port}${real.pathname}`;
  await expect(migrate(url)).rejects.toThrow();
  await migrate(`${url}?sslmode=no-verify`);
  expect(await isThere()).toBe(true);
});

test("migrates by a socket of the machine", async () => {
  const isThere = await forgetLastMigration();
  const folder = mkdtempSync(join(tmpdir(), "pathway-socket-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await serverBefore(join(folder, SOCKET), { tls: false });
  await migrate(`postgresql://${real.username}@${encodeURIComponent(folder)}${real.pathname}`);
  expect(await isThere()).toBe(true);
});

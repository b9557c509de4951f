import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { SELF_SIGNED } from "../../clients/referral-service/testing/self-signed.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { PipelinedClient, PooledPipelinedClient } from "./pipelined-client.ts";
import { refusalOf } from "./refusal.ts";
import type { Transaction } from "./transactions.ts";
import { unanswered } from "./unanswered.ts";

const db = await openTestDatabase();

/** A client whose words to the server are kept, and which hears nothing while `hold` is on. */
async function listenedTo(Client = PipelinedClient) {
  const target = new URL(db.url);
  const said: Buffer[] = [];
  const heldBack: Buffer[] = [];
  let isHeld = false;
  let inbound: Socket | undefined;
  const server = createServer((socket) => {
    inbound = socket;
    const onward = connect(Number(target.port), target.hostname);
    socket.on("data", (bytes) => {
      said.push(bytes);
      onward.write(bytes);
    });
    onward.on("data", (bytes) => (isHeld ? heldBack.push(bytes) : socket.write(bytes)));
    socket.on("close", () => onward.destroy()).on("error", () => onward.destroy());
    onward.on("close", () => socket.destroy()).on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(db.url);
  url.port = String(typeof address === "object" ? address?.port : "");
  const client = new Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    server.close();
  });
  said.length = 0;
  return {
    client,
    said: () => Buffer.concat(said).toString("latin1"),
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const bytes of heldBack.splice(0)) inbound?.write(bytes);
    },
  };
}

const nameOf = async (client: PipelinedClient) =>
  (await client.query("SHOW application_name")).rows[0].application_name;

test("a transaction begins with its first statement and ends with its last word", async () => {
  const { client, said } = await listenedTo();
  await client.query("BEGIN");
  expect(said()).toBe("");
  await client.query("SELECT set_config('application_name', $1, true)", ["inside"]);
  expect(said()).toMatch(/BEGIN[\s\S]*set_config/);
  expect(await nameOf(client)).toBe("inside");
  await client.query("COMMIT");
  expect(await nameOf(client)).not.toBe("inside");
});

test.each(["COMMIT", "ROLLBACK"])("a transaction of nothing but %s asks nothing", async (end) => {
  const { client, said } = await listenedTo();
  await client.query("BEGIN");
  await client.query(end);
  expect(said()).toBe("");
  // Outside of any transaction again.
  await client.query("SELECT set_config('application_name', 'lasting', false)");
  expect(await nameOf(client)).toBe("lasting");
});

test.each([
  { Client: PipelinedClient, where: "of its own", isAwaited: false },
  { Client: PooledPipelinedClient, where: "of a proxy", isAwaited: true },
])(
  "on a connection $where, the end of a transaction that only read is waited for: $isAwaited",
  async ({ Client, isAwaited }) => {
    const { client, hold, release } = await listenedTo(Client);
    await client.query("BEGIN");
    await client.query("SELECT clock_timestamp() AS at");
    hold();
    let isEnded = false;
    const ending = client.query("COMMIT").then(() => {
      isEnded = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isEnded).toBe(!isAwaited);
    release();
    await ending;
  },
);

test.each([false, true])(
  "what is asked for together goes out in one piece, with TLS: %s",
  async (isTls) => {
    const pieces: string[] = [];
    const server = createServer((raw) => {
      const serve = (socket: Socket) => {
        const onward = connect(Number(new URL(db.url).port), new URL(db.url).hostname);
        socket.on("data", (bytes: Buffer) => {
          pieces.push(bytes.toString("latin1"));
          onward.write(bytes);
        });
        onward.on("data", (bytes) => socket.write(bytes));
        onward.on("close", () => socket.destroy()).on("error", () => socket.destroy());
        socket.on("close", () => onward.destroy()).on("error", () => onward.destroy());
      };
      if (!isTls) return serve(raw);
      // Agrees to TLS, as PostgreSQL does.
      raw.once("data", () => {
        raw.write("S");
        serve(new TLSSocket(raw, { isServer: true, ...SELF_SIGNED }));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(db.url);
    url.port = String((server.address() as AddressInfo).port);
    if (isTls) url.searchParams.set("sslmode", "no-verify");
    const client = new PipelinedClient({ connectionString: url.href });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      server.close();
    });
    pieces.length = 0;
    await client.query("BEGIN");
    await Promise.all([client.query("SELECT 1 AS one"), client.query("SELECT 2 AS two")]);
    expect(pieces).toEqual([expect.stringMatching(/BEGIN[\s\S]*one[\s\S]*two/)]);
  },
);

test("what is asked for together is sent before the first answer, and answered in order", async () => {
  const { client, said, hold, release } = await listenedTo();
  hold();
  await client.query("BEGIN");
  const answers = Promise.all(
    ["first", "second", "third"].map((word) => client.query("SELECT $1::text AS word", [word])),
  );
  await expect.poll(said).toMatch(/BEGIN[\s\S]*first[\s\S]*second[\s\S]*third/);
  release();
  expect((await answers).map(({ rows }) => rows[0].word)).toEqual(["first", "second", "third"]);
  await client.query("ROLLBACK");
});

test("a statement that fails takes those sent after it along, and its transaction", async () => {
  const { client } = await listenedTo();
  await client.query("CREATE TEMPORARY TABLE noted (word text)");
  await client.query("BEGIN");
  const ended = await Promise.allSettled([
    client.query("INSERT INTO noted VALUES ($1)", ["before"]),
    client.query("SELECT 1 / $1::int", [0]),
    client.query("INSERT INTO noted VALUES ($1)", ["after"]),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  await client.query("ROLLBACK");
  expect((await client.query("SELECT * FROM noted")).rows).toEqual([]);
});

describe("a write whose answer nobody waits for", () => {
  const note = (tx: Pick<Transaction, "$executeRaw">, kind: string) =>
    unanswered(
      tx,
      Prisma.sql`
      INSERT INTO timeline (shop, order_id, at, actor, kind, detail)
      VALUES ('a.myshopify.com', '1', now(), 'system', ${kind}, '{}')`,
    );
  const noted = async () => {
    const { rows } = await db.pool.query("SELECT kind FROM timeline ORDER BY id");
    return rows.map(({ kind }) => kind);
  };

  beforeEach(async () => {
    await db.pool.query("TRUNCATE timeline");
  });

  test("is written in its order, and seen by what is asked for next", async () => {
    await db.transactions.run(async (tx) => {
      await note(tx, "first");
      await note(tx, "second");
      expect((await tx.timelineEntry.findMany()).map(({ kind }) => kind)).toEqual([
        "first",
        "second",
      ]);
      await note(tx, "third");
    });
    expect(await noted()).toEqual(["first", "second", "third"]);
  });

  test("that fails fails what is asked for next, by its own reason, and the transaction", async () => {
    const failing = db.transactions.run(async (tx) => {
      await note(tx, "before");
      await unanswered(tx, Prisma.sql`UPDATE timeline SET kind = NULL`);
      await tx.timelineEntry.findMany();
    });
    expect(refusalOf(await failing.catch((error: unknown) => error))).toMatchObject({
      code: "23502",
    });
    expect(await noted()).toEqual([]);
  });

  test("that fails fails the COMMIT, by its own reason", async () => {
    const failing = db.transactions.run(async (tx) => {
      await note(tx, "before");
      await unanswered(tx, Prisma.sql`UPDATE timeline SET kind = NULL`);
    });
    expect(refusalOf(await failing.catch((error: unknown) => error))).toMatchObject({
      code: "23502",
    });
    expect(await noted()).toEqual([]);
    // The connection is as good as new.
    await db.transactions.run((tx) => note(tx, "after"));
    expect(await noted()).toEqual(["after"]);
  });

  test("outside of a transaction is waited for", async () => {
    await expect(
      db.pool.query("UPDATE timeline SET kind = 1 / 0 /* unanswered */"),
    ).rejects.toThrow(/zero/);
    await db.transactions.run((tx) => note(tx, "after"));
    expect(await noted()).toEqual(["after"]);
  });

  test("is not lost when the work fails after it: nothing of it stays", async () => {
    const failing = db.transactions.run(async (tx) => {
      await note(tx, "before");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await noted()).toEqual([]);
  });
});

test("a transaction that has only read does not wait for its end", async () => {
  const { client, said, hold, release } = await listenedTo();
  await client.query("BEGIN");
  await client.query('SELECT "public"."shops"."shop" FROM "public"."shops"');
  hold();
  await client.query("COMMIT");
  await expect.poll(said).toMatch(/COMMIT/);
  release();
  expect(await nameOf(client)).not.toBe("inside");
});

test("a COMMIT of what has failed before is no success", async () => {
  const { client } = await listenedTo();
  await client.query("BEGIN");
  await expect(client.query("SELECT 1 / 0")).rejects.toThrow(/zero/);
  await expect(client.query("COMMIT")).rejects.toThrow("taken back");
});

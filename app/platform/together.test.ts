import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { PrismaClient } from "../generated/prisma/client.ts";
import { PipelinedClient } from "./database/pipelined-client.ts";
import { together } from "./together.ts";

const db = await openTestDatabase();
const heard: string[] = [];

/** Notes what is sent and what is answered, in their order. */
class WatchedClient extends PipelinedClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...values: unknown[]) => unknown;
    this.query = ((...values: unknown[]) => {
      const { text = "" } = values[0] as { text?: string };
      const [, table] = /"public"\."(shops|orders|results)"\./.exec(text) ?? [];
      if (table) heard.push(`> ${table}`);
      const answer = send(...values);
      if (table && answer instanceof Promise)
        return answer.finally(() => void heard.push(`< ${table}`));
      return answer;
    }) as typeof this.query;
  }
}

const transaction = async <T>(work: (tx: Pick<PrismaClient, "shop" | "order" | "result">) => T) => {
  const pool = new pg.Pool({ connectionString: db.url, Client: WatchedClient, max: 1 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  onTestFinished(async () => {
    await prisma.$disconnect();
    await pool.end();
  });
  heard.length = 0;
  return prisma.$transaction(async (tx) => work(tx));
};

test("what a transaction asks for together is sent before the first answer", async () => {
  await transaction((tx) =>
    together(
      async () => tx.shop.findMany(),
      async () => tx.order.findMany(),
      async () => tx.result.findMany(),
    ),
  );
  expect(heard).toEqual(["> shops", "> orders", "> results", "< shops", "< orders", "< results"]);
});

test("one that fails fails all", async () => {
  const failing = transaction((tx) =>
    together(
      async () => tx.shop.findMany(),
      async () => {
        throw new Error("no");
      },
    ),
  );
  await expect(failing).rejects.toThrow("no");
});

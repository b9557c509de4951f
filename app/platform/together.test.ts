import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { PipelinedClient } from "./database/pipelined-client.ts";
import { openTransactions, type Transaction } from "./database/transactions.ts";
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

const transaction = async <T>(work: (tx: Transaction) => Promise<T>) => {
  const pool = new pg.Pool({ connectionString: db.url, Client: WatchedClient, max: 1 });
  const transactions = openTransactions(pool);
  onTestFinished(async () => {
    await transactions.close();
    await pool.end();
  });
  heard.length = 0;
  return transactions.run(work);
};

test("what a transaction asks for together is sent before the first answer", async () => {
  const read = (tx: Transaction) =>
    together(
      async () => tx.shop.findMany(),
      async () => tx.order.findMany(),
      async () => tx.result.findMany(),
    );
  // Prisma compiles a question when it is first asked, for longer than PostgreSQL takes to answer.
  await transaction(read);
  await transaction(read);
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

import { expect, test } from "vitest";
import { answer } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import { wireReferral, wireResult } from "./testing/wire-samples.ts";

const referrals = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => wireReferral({ uuid: `r${from + n}` }));

type PageOf = (cursor: string | null, request: number) => Record<string, unknown>;

/** A service whose lists answer with these pages. */
async function startLists(pageOf: PageOf) {
  let count = 0;
  return startService(({ target }, response) => {
    const cursor = new URL(target, "http://x").searchParams.get("cursor");
    answer(response, 200, pageOf(cursor, count++));
  });
}

async function uuidsOf(list: AsyncIterable<{ uuid: string }>): Promise<string[]> {
  const uuids: string[] = [];
  for await (const { uuid } of list) uuids.push(uuid);
  return uuids;
}

test("walks newest first until a page is not full", async () => {
  const { client, apiRequests } = await startLists((cursor) =>
    cursor === null
      ? { cursor: { cursor: "a b&c", count: 20, resultCount: 20 }, referrals: referrals(0, 20) }
      : { cursor: { cursor: "end", count: 20, resultCount: 3 }, referrals: referrals(20, 23) },
  );
  const uuids = await uuidsOf(client.referralsNewestFirst());
  expect(uuids).toEqual(Array.from({ length: 23 }, (_, n) => `r${n}`));
  expect(apiRequests().map(({ target }) => target)).toEqual([
    "/v1/referrals?count=20&sort=desc",
    "/v1/referrals?count=20&sort=desc&cursor=a+b%26c",
  ]);
});

test("asks for no page that is not read", async () => {
  const { client, apiRequests } = await startLists(() => ({
    cursor: { cursor: "next", count: 20, resultCount: 20 },
    referrals: referrals(0, 20),
  }));
  for await (const { uuid } of client.referralsNewestFirst()) if (uuid === "r19") break;
  expect(apiRequests()).toHaveLength(1);
});

test.each<[string, Record<string, unknown>]>([
  ["a list", { cursor: { cursor: null, count: 20, resultCount: 1 }, referrals: referrals(0, 1) }],
  ["a list without a count", { referrals: referrals(0, 1) }],
])("reads a page that says that it is no error: %s", async (_, page) => {
  const { client } = await startLists(() => ({ error: false, errorList: [], ...page }));
  expect(await uuidsOf(client.referralsNewestFirst())).toEqual(["r0"]);
});

test.each<[string, Record<string, unknown>]>([
  ["named as one", { error: true, errorList: [] }],
  ["with a count of nothing", { error: true, errorList: [], resultCount: 0, referrals: [] }],
  ["by its code alone", { code: "INTERNAL", message: "", errorList: [] }],
])("takes no error for an empty page: %s", async (_, page) => {
  const { client } = await startLists(() => page);
  await expect(uuidsOf(client.referralsNewestFirst())).rejects.toMatchObject({
    failure: "contract_mismatch",
  });
});

test("a full last page is followed by an empty one", async () => {
  const { client } = await startLists((cursor) =>
    cursor === null
      ? { cursor: { cursor: "2", count: 20, resultCount: 20 }, referrals: referrals(0, 20) }
      : { cursor: { cursor: "2", count: 20, resultCount: 0 }, referrals: [] },
  );
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(20);
});

test.each<[string, Record<string, unknown>, number]>([
  ["a page without any count", { cursor: { cursor: "next" } }, 3],
  ["an empty page without any count", {}, 0],
  ["fewer than were asked for", { cursor: { cursor: null, count: 5, resultCount: 5 } }, 5],
])("%s ends the walk", async (_, cursor, count) => {
  const { client } = await startLists(() => ({ ...cursor, referrals: referrals(0, count) }));
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(count);
});

test.each<[string, number, Record<string, unknown>]>([
  ["as many entries as were asked for", 20, { cursor: null, count: 20, resultCount: 20 }],
  ["as many, and no metadata", 20, {}],
])(
  "a page that may be followed by another, and gives no cursor, is no end: %s",
  async (_, count, cursor) => {
    const { client } = await startLists(() => ({ cursor, referrals: referrals(0, count) }));
    const read: string[] = [];
    const walk = async () => {
      for await (const { uuid } of client.referralsNewestFirst()) read.push(uuid);
    };
    await expect(walk()).rejects.toMatchObject({ failure: "contract_mismatch" });
    expect(read).toHaveLength(count);
  },
);

test("a list that is read again in pages of another size, and lacks what was there, is no whole one", async () => {
  const { client, apiRequests } = await startLists((_, request) => ({
    cursor: { cursor: null },
    referrals: referrals(0, request === 0 ? 20 : 5),
  }));
  await expect(uuidsOf(client.referralsNewestFirst())).rejects.toMatchObject({
    failure: "contract_mismatch",
  });
  expect(apiRequests().map(({ target }) => target)).toEqual([
    "/v1/referrals?count=20&sort=desc",
    "/v1/referrals?count=19&sort=desc",
  ]);
});

test("an empty page that counts nothing ends the walk", async () => {
  const { client } = await startLists(() => ({
    cursor: { cursor: null, count: 0, resultCount: 0 },
    referrals: [],
  }));
  expect(await uuidsOf(client.referralsNewestFirst())).toEqual([]);
});

test("a catalogue ends with a full page without a cursor", async () => {
  const bundles = Array.from({ length: 20 }, (_, n) => ({ id: `b${n}`, name: "B", tests: [] }));
  const { client } = await startLists(() => ({ cursor: { cursor: null }, bundles }));
  const { entries, unreadable } = await client.listBundles();
  expect(entries.length + unreadable.length).toBe(20);
});

test.each([0, 3, -1])(
  "a page that is full ends no walk, though it counts %i",
  async (resultCount) => {
    const { client } = await startLists((cursor) =>
      cursor === null
        ? { cursor: { cursor: "2", count: 20, resultCount }, referrals: referrals(0, 20) }
        : { cursor: { cursor: "3", count: 20, resultCount: 1 }, referrals: referrals(20, 21) },
    );
    expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(21);
  },
);

test.each(["results", "data", "items"])("finds results under %s", async (key) => {
  const { client } = await startLists(() => ({
    cursor: { cursor: null, count: 20, resultCount: 1 },
    warnings: ["none"],
    links: [{ href: "/" }],
    [key]: [wireResult({ uuid: "x" })],
  }));
  expect(await uuidsOf(client.resultsNewestFirst())).toEqual(["x"]);
});

test("reads cursor metadata beside the results", async () => {
  const { client } = await startLists(() => ({
    cursor: "next",
    count: 20,
    resultCount: 1,
    results: [wireResult({ uuid: "x" })],
  }));
  expect(await uuidsOf(client.resultsNewestFirst())).toEqual(["x"]);
});

test.each([
  ["pagination", (cursor: unknown) => ({ pagination: cursor })],
  ["meta.cursor", (cursor: unknown) => ({ meta: { cursor } })],
])("goes on where the cursor's metadata have another name: %s", async (_, named) => {
  const all = Array.from({ length: 23 }, (_one, n) => wireResult({ uuid: `x${n}` }));
  const { client } = await startLists((cursor) => {
    const from = Number(cursor ?? 0);
    const results = all.slice(from, from + 20);
    const metadata = { cursor: String(from + 20), count: 20, resultCount: results.length };
    return { results, ...named(metadata) };
  });
  expect(await uuidsOf(client.resultsNewestFirst())).toHaveLength(23);
});

test("a smaller page size of the service does not end the walk early", async () => {
  const { client } = await startLists((cursor) => {
    const from = Number(cursor ?? 0);
    const page = referrals(from, Math.min(from + 5, 12));
    const meta = { cursor: String(from + 5), count: 5, resultCount: page.length };
    return { cursor: meta, referrals: page };
  });
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(12);
});

test.each<[string, PageOf]>([
  ["stays", () => full("same", 0)],
  ["goes in circles", (cursor) => full(cursor === "a" ? "b" : "a", 0)],
  ["changes but leads to the same page", (_, request) => full(`c${request}`, 0)],
])("a cursor that %s is an error, never an end", async (_, pageOf) => {
  const { client, apiRequests } = await startLists(pageOf);
  await expect(uuidsOf(client.referralsNewestFirst())).rejects.toMatchObject({
    failure: "contract_mismatch",
  });
  expect(apiRequests().length).toBeLessThan(6);
});

test("a cursor that looks the same while the list moves on is followed", async () => {
  const { client } = await startLists((_, request) =>
    request < 5 ? full("same", request * 20) : { cursor: { resultCount: 0 }, referrals: [] },
  );
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(100);
});

test("an entry pushed to the next page by a newer one comes once", async () => {
  const { client } = await startLists((cursor) =>
    cursor === null
      ? full("2", 0)
      : { cursor: { cursor: "3", count: 20, resultCount: 2 }, referrals: referrals(19, 21) },
  );
  const uuids = await uuidsOf(client.referralsNewestFirst());
  expect(new Set(uuids).size).toBe(uuids.length);
  expect(uuids).toHaveLength(21);
});

test.each<[string, Record<string, unknown>]>([
  ["nothing of a page", {}],
  ["no list but other arrays", { warnings: ["maintenance"] }],
  ["an empty list beside something else", { referrals: [], others: [1] }],
  ["a count but no entries", { cursor: { cursor: "a", count: 20, resultCount: 3 } }],
  ["two lists that look right", { referrals: referrals(0, 1), others: referrals(1, 2) }],
  ["entries that are none, and another count", { cursor: { resultCount: 2 }, referrals: [null] }],
])("a page with %s is an error, never an empty page", async (_, page) => {
  const { client } = await startLists(() => page);
  await expect(uuidsOf(client.referralsNewestFirst())).rejects.toMatchObject({
    failure: "contract_mismatch",
  });
});

test.each<[string, unknown[]]>([
  ["has no fields", [...referrals(0, 1), { uuid: "r1" }]],
  ["has no real time", [wireReferral({ createdAt: "yesterday" }), ...referrals(0, 1)]],
  ["comes first and is null", [null, ...referrals(0, 1)]],
  ["comes first and is text", ["r1", ...referrals(0, 1)]],
  ["comes first and has a number as uuid", [{ uuid: 7 }, ...referrals(0, 1)]],
])("an entry that %s stops no scan of the others", async (_, listed) => {
  const { client } = await startLists(() => ({
    cursor: { count: 20, resultCount: listed.length },
    referrals: listed,
  }));
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(2);
});

test("a last page of which nothing can be read is passed on, each entry of it", async () => {
  const { client } = await startLists((cursor) =>
    cursor === null
      ? full("2", 0)
      : { cursor: { cursor: "3", count: 20, resultCount: 3 }, referrals: [null, null, 7] },
  );
  expect(await uuidsOf(client.referralsNewestFirst())).toHaveLength(23);
});

function full(cursor: string, from: number) {
  return { cursor: { cursor, count: 20, resultCount: 20 }, referrals: referrals(from, from + 20) };
}

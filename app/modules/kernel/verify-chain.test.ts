import { describe, expect, test } from "vitest";
import {
  type ChainedRow,
  firstHash,
  HASH_BYTES,
  INSTALLATION,
  logName,
  rowHash,
  sealHash,
} from "./access-chain.ts";
import { type StoredSeal, startOfChain, verifyLoose, verifySeal } from "./verify-chain.ts";

const SHOP = "one.myshopify.com";
const row = (id: number, fields: Partial<ChainedRow> = {}): ChainedRow => ({
  ...{ id: String(id), at: `2026-11-26T00:00:0${id}.000000`, who: "staff", actor: "staff:7" },
  ...{ actorName: "Robin", what: "result_viewed", requestId: "request", subjectId: "result" },
  detail: null,
  ...fields,
});

/** A seal over these rows, as Pathway writes it. */
function sealOver(rows: ChainedRow[], fields: Partial<StoredSeal> = {}): StoredSeal {
  const { previousHash = firstHash(SHOP), number = 1 } = fields;
  let end = previousHash;
  const hashes = rows.map((one) => (end = rowHash(end, SHOP, one)));
  const rowIds = rows.map(({ id }) => id);
  const { isComplete = true, sealedAt = "2026-11-26T00:01:00.000000" } = fields;
  return {
    ...{ number, rowIds, rowHashes: Buffer.concat(hashes), lastId: rowIds.at(-1) ?? "0" },
    ...{ isComplete, sealedAt, previousHash },
    hash: sealHash({ number, rowIds, isComplete, sealedAt, end }),
    ...fields,
  };
}

const ROWS = [row(1), row(2), row(3)];
const SEAL = sealOver(ROWS);
const asMap = (rows: ChainedRow[]) => new Map(rows.map((one) => [one.id, one]));
const verify = (seal = SEAL, rows = ROWS, state = startOfChain(SHOP)) =>
  verifySeal(SHOP, state, seal, asMap(rows));
const kinds = (...args: Parameters<typeof verify>) =>
  verify(...args).map(({ kind, rowId }) => (rowId === null ? kind : `${kind} ${rowId}`));

describe("a chained log", () => {
  test("of which nothing was touched has no findings, seal after seal", () => {
    const state = startOfChain(SHOP);
    expect(kinds(SEAL, ROWS, state)).toEqual([]);
    const next = sealOver([row(4)], { number: 2, previousHash: SEAL.hash });
    expect(kinds(next, [row(4)], state)).toEqual([]);
    expect(state).toMatchObject({ number: 2, hash: next.hash, lastId: 4n });
    expect([...state.covered]).toEqual(["1", "2", "3", "4"]);
  });

  test.each(Object.keys(row(2)).filter((name) => name !== "id"))(
    "names the one row whose %s was changed",
    (name) => {
      const changed = row(2, { [name]: "other" });
      expect(kinds(SEAL, [row(1), changed, row(3)])).toEqual(["edited 2"]);
    },
  );

  test("names a row that was deleted, and judges those after it by what is stored", () => {
    expect(kinds(SEAL, [row(1), row(3)])).toEqual(["deleted 2"]);
    const [finding] = verify(SEAL, [row(1), row(3)]);
    const stored = SEAL.rowHashes.subarray(HASH_BYTES, 2 * HASH_BYTES).toString("hex");
    expect(finding).toEqual({ kind: "deleted", rowId: "2", seal: 1, evidence: stored });
  });

  test("of another shop is none of this one's", () => {
    const found = verifySeal("two.myshopify.com", startOfChain(SHOP), SEAL, asMap(ROWS));
    expect(found.map(({ kind }) => kind)).toEqual(["edited", "edited", "edited"]);
    expect(firstHash("two.myshopify.com")).not.toEqual(firstHash(SHOP));
    expect(logName(SHOP)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("tells of an edited row what stands there, so that accepting it accepts nothing else", () => {
    const evidence = (actor: string) => verify(SEAL, [row(1), row(2, { actor }), row(3)])[0];
    expect(evidence("staff:8")).toMatchObject({ kind: "edited", rowId: "2", seal: 1 });
    expect(evidence("staff:8")?.evidence).toMatch(/^[0-9a-f]{64}$/);
    expect(evidence("staff:8")).not.toEqual(evidence("staff:9"));
  });
});

describe("a seal", () => {
  test("that is missing shows at the next one", () => {
    const next = sealOver([row(4)], { number: 3, previousHash: SEAL.hash });
    const state = startOfChain(SHOP);
    verify(SEAL, ROWS, state);
    expect(verify(next, [row(4)], state)).toEqual([
      { kind: "seal_missing", rowId: null, seal: 3, evidence: "1" },
    ]);
    expect(state.number).toBe(3);
  });

  test("that begins elsewhere than the former one ended was altered", () => {
    const other = Buffer.alloc(HASH_BYTES, 7);
    expect(verify(sealOver(ROWS, { previousHash: other }))).toEqual([
      { kind: "seal_altered", rowId: null, seal: 1, evidence: other.toString("hex") },
    ]);
  });

  test.each<[string, Partial<StoredSeal>]>([
    ["its moment", { sealedAt: "2026-11-26T02:00:00.000000" }],
    ["whether it reached the end", { isComplete: false }],
  ])("of which %s was changed was altered", (_, fields) => {
    expect(verify({ ...SEAL, ...fields })).toEqual([
      { kind: "seal_altered", rowId: null, seal: 1, evidence: SEAL.hash.toString("hex") },
    ]);
  });

  test("from which a row was taken, or whose rows were put in another order, was altered", () => {
    const shorter = { ...SEAL, rowIds: ["1", "2"], rowHashes: SEAL.rowHashes.subarray(0, 64) };
    expect(kinds(shorter)).toEqual(["seal_altered"]);
    expect(kinds({ ...SEAL, rowIds: ["2", "1", "3"] })).toEqual([
      ...["edited 2", "edited 1", "seal_altered"],
    ]);
  });

  test("covers ids that came late, and the highest counts", () => {
    const state = startOfChain(SHOP);
    verify(sealOver([row(5)]), [row(5)], state);
    const late = sealOver([row(4)], { number: 2, previousHash: state.hash });
    expect(kinds(late, [row(4)], state)).toEqual([]);
    expect(state.lastId).toBe(5n);
  });
});

describe("a row that says an earlier moment than it can have", () => {
  /** Chained to its end at one o'clock. */
  const chained = (isComplete = true) => {
    const state = startOfChain(SHOP);
    const seal = sealOver(ROWS, { isComplete, sealedAt: "2026-11-26T01:00:00.000000" });
    verify(seal, ROWS, state);
    return { state, previousHash: seal.hash };
  };
  const later = (at: string, isComplete = true) => {
    const { state, previousHash } = chained(isComplete);
    const rows = [row(4, { at })];
    return kinds(sealOver(rows, { number: 2, previousHash }), rows, state);
  };

  test("was dated back when the log had been chained to its end a minute after it", () => {
    expect(later("2026-11-26T00:58:59.999000")).toEqual(["back_dated 4"]);
    expect(later("2026-11-26T00:59:00.000000")).toEqual([]);
  });

  test("was not while more was left to chain", () => {
    expect(later("2026-11-26T00:58:59.999000", false)).toEqual([]);
  });

  test("shows before it is chained as well", () => {
    const { state } = chained();
    const early = row(4, { at: "2026-11-26T00:58:59.999000" });
    expect(verifyLoose(early, state, 3n)).toEqual({
      ...{ kind: "back_dated", rowId: "4", seal: null, evidence: JSON.stringify(early) },
    });
    expect(verifyLoose(row(4, { at: "2026-11-26T00:59:00.000000" }), state, 3n)).toBeNull();
    expect(verifyLoose(early, startOfChain(SHOP), 3n)).toBeNull();
  });

  test("was put in by somebody else where nothing can come any more", () => {
    const { state } = chained();
    const late = row(4, { at: "2026-11-26T02:00:00.000000" });
    expect(verifyLoose(late, state, 4n)).toEqual({
      ...{ kind: "inserted", rowId: "4", seal: null, evidence: JSON.stringify(late) },
    });
    expect(verifyLoose(late, state, 3n)).toBeNull();
  });
});

test("hashes a log as every version of this program did: its anchors lie outside the database", () => {
  expect(firstHash(SHOP).toString("hex")).toBe(
    "d4593f0005c34cf1e34aec2660a961aa2187acde11ef1dc8c5f7d6a63a0eec7a",
  );
  expect(rowHash(firstHash(SHOP), SHOP, row(1)).toString("hex")).toBe(
    "2c58e1979a2bc2781a59410def69e1e47662cb44d01ddb53f110c342c446a07d",
  );
  expect(SEAL.hash.toString("hex")).toBe(
    "de64f882ca20f3ed6f0528f6b8fd56ad9533583d9b22903c0f29483f88dfc9bc",
  );
  expect(logName(SHOP)).toBe("d1a437487744ccedf0c3208028d41e69e15cc37f36f052198ec036e52b19621d");
  expect(logName(INSTALLATION)).toBe(
    "561f0a3d84e3c5cf22f379912b7513b40c4e08edd60dc8b936a407db52b9579c",
  );
});

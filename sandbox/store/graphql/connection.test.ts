import { describe, expect, it } from "vitest";
import { connection, type PageArguments } from "./connection.ts";

const page = (args: PageArguments, items = [1, 2, 3, 4, 5]) =>
  connection(
    items,
    args,
    (item) => [item, item],
    (item) => item,
  );

describe("connection", () => {
  it("walks forwards to the end", () => {
    const first = page({ first: 2 });
    expect(first.nodes).toEqual([1, 2]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = page({ first: 3, after: first.pageInfo.endCursor });
    expect(second.nodes).toEqual([3, 4, 5]);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it("walks backwards", () => {
    const last = page({ last: 2 });
    expect(last.nodes).toEqual([4, 5]);
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(page({ last: 2, before: last.pageInfo.startCursor })).toMatchObject({
      nodes: [2, 3],
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
  });

  it("turns round", () => {
    const newest = page({ first: 2, reverse: true });
    expect(newest.nodes).toEqual([5, 4]);
    expect(page({ first: 9, reverse: true, after: newest.pageInfo.endCursor }).nodes).toEqual([
      3, 2, 1,
    ]);
  });

  it("goes on after an item that is gone", () => {
    const { endCursor } = page({ first: 2 }).pageInfo;
    expect(page({ first: 2, after: endCursor }, [1, 3, 4]).nodes).toEqual([3, 4]);
  });

  it.each([
    [{}],
    [{ first: 0 }],
    [{ first: 251 }],
    [{ first: 1, last: 1 }],
    [{ first: 1, after: "nonsense" }],
  ])("refuses %j", (args) => {
    expect(() => page(args)).toThrow();
  });
});

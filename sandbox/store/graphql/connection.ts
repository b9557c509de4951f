import { GraphQLError } from "graphql";

export interface PageArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
}

/** Where an item stands: the value it is sorted by, then its number. Both are in its cursor, as in Shopify's. */
export type Position = [value: string | number, id: number];

const maxPageSize = 250;

/**
 * One page of a list. Cursors name a position, not an index, so that a page goes on where the last one ended even when
 * items came or went in between.
 */
export function connection<T, V>(
  items: T[],
  args: PageArguments,
  positionOf: (item: T) => Position,
  view: (item: T) => V,
) {
  const size = pageSize(args);
  const direction = args.reverse ? -1 : 1;
  const sorted = items
    .map((item) => ({ item, position: positionOf(item) }))
    .sort((left, right) => direction * compare(left.position, right.position));
  const after = readCursor(args.after);
  const before = readCursor(args.before);
  const inRange = sorted.filter(
    ({ position }) =>
      (after === null || direction * compare(position, after) > 0) &&
      (before === null || direction * compare(position, before) < 0),
  );
  const backwards = args.first == null;
  const page = backwards ? inRange.slice(-size) : inRange.slice(0, size);
  const edges = page.map(({ item, position }) => ({
    cursor: cursorOf(position),
    node: view(item),
  }));
  const skipped = inRange.length - page.length;
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: backwards ? before !== null && inRange.length < sorted.length : skipped > 0,
      hasPreviousPage: backwards ? skipped > 0 : after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A list in its own order: lines of an order, variants of a product. */
export const listConnection = <T, V>(items: T[], args: PageArguments, view: (item: T) => V) =>
  connection(
    items.map((item, index) => ({ item, index })),
    args,
    ({ index }) => [index, index],
    ({ item }) => view(item),
  );

function pageSize({ first, last }: PageArguments): number {
  const size = first ?? last;
  if (size == null) throw badRequest("you must provide one of first or last");
  if (first != null && last != null) {
    throw badRequest("providing both first and last is not supported");
  }
  if (size < 1 || size > maxPageSize) {
    throw badRequest(`${first == null ? "last" : "first"} must be between 1 and ${maxPageSize}`);
  }
  return size;
}

const badRequest = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });

const compare = (left: Position, right: Position): number =>
  left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : left[1] - right[1];

const cursorOf = ([value, id]: Position): string =>
  Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString("base64url");

function readCursor(cursor: string | null | undefined): Position | null {
  if (cursor == null) return null;
  try {
    const { last_id, last_value } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (typeof last_id === "number" && ["string", "number"].includes(typeof last_value)) {
      return [last_value, last_id];
    }
  } catch {
    // Not ours: refused below.
  }
  throw badRequest(`'${cursor}' is not a valid cursor.`);
}

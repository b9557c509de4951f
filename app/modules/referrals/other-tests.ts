import type { OrderedItems } from "./referral-service.ts";
import type { ReferralSnapshot } from "./snapshots.ts";

/** A referral, as far as its tests are compared. */
type Tested = Pick<ReferralSnapshot, "tests" | "medicare">;

/**
 * Whether a referral has other tests than its part of the order asked for (interface §4.2 rules 2 to 4, 7). Each that was named has to be on
 * it. A further one is another one where no bundle may have brought it, and no other part of the order names it. A referral that names no test
 * says nothing.
 */
export function hasOtherTests({ tests, medicare }: Tested, items: OrderedItems): boolean {
  const said = idsOf(tests);
  if (said.size === 0) return false;
  const [own, all] = [idsOf(namedFor(items, medicare)), idsOf(allNamed(items))];
  if (!isWithin(own, said)) return true;
  return !medicare && items.bundleId === null && !isWithin(said, all);
}

/**
 * Whether each id of a referral's tests, and of those that it was to have, stands in the catalogue. A test that has another id since, or is
 * written as what it consists of, is no other test: then one of them does not.
 */
export const areAllListed = (
  { tests, medicare }: Tested,
  items: OrderedItems,
  listed: readonly { id: string }[],
): boolean =>
  isWithin(idsOf([...tests, ...namedFor(items, medicare)]), idsOf(listed.map(({ id }) => id)));

/** Whether a referral certainly has the tests of its part, as far as they were named. */
export const hasItsTests = (referral: Tested, items: OrderedItems): boolean =>
  idsOf(referral.tests).size > 0 && !hasOtherTests(referral, items);

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one));

const namedFor = ({ tests, medicareTests }: OrderedItems, isMedicare: boolean): string[] =>
  isMedicare ? medicareTests : tests;

const allNamed = ({ tests, medicareTests }: OrderedItems): string[] => [...tests, ...medicareTests];

/** Ids in one spelling. */
const idsOf = (ids: readonly string[]): Set<string> =>
  new Set(ids.map((id) => id.trim().toLowerCase()).filter((id) => id !== ""));

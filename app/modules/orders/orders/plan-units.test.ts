import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../../../test/samples/facts.ts";
import type { Cancellation } from "../../referrals/cancellation.ts";
import { REQUEST_STATES, type ReferralRequest, UNSENT_STATES } from "../../referrals/request.ts";
import { planUnits } from "./plan-units.ts";

type Unit = Pick<ReferralRequest, "unit" | "generation" | "state"> &
  Partial<Pick<ReferralRequest, "cancellation" | "missingPart">>;

const request = ({ unit, generation, state, ...more }: Unit): ReferralRequest =>
  sampleRequest({ id: `${unit}.${generation}`, unit, generation, state, ...more });

const plan = (units: (readonly [number, Unit["state"], number?])[], quantity: number) => {
  const requests = units.map(([unit, state, generation = 1]) =>
    request({ unit, state, generation }),
  );
  const { open, cancel, cancelSent } = planUnits(requests, quantity);
  return { open, cancel: cancel.map((r) => r.unit), cancelSent: cancelSent.map((r) => r.unit) };
};

describe("units of a line", () => {
  test("are opened for what was bought", () => {
    expect(plan([], 3)).toEqual({ open: [1, 2, 3], cancel: [], cancelSent: [] });
    expect(plan([[1, "created"]], 3).open).toEqual([2, 3]);
  });

  test("are set aside as far as they were sold as no test", () => {
    expect(planUnits([], 3, undefined, 2)).toMatchObject({ open: [1], setAside: 2 });
    expect(planUnits([], 3, undefined, 5)).toMatchObject({ open: [], setAside: 3 });
  });

  test("are left alone when they match", () => {
    const nothing = { open: [], cancel: [], cancelSent: [] };
    expect(
      plan(
        [
          [1, "created"],
          [2, "awaiting_details"],
        ],
        2,
      ),
    ).toEqual(nothing);
    expect(plan([], 0)).toEqual(nothing);
  });

  test("are given up where that costs nothing, later ones first", () => {
    const units = [
      [1, "awaiting_details"],
      [2, "created"],
      [3, "awaiting_details"],
      [4, "ready"],
    ] as const;
    expect(plan([...units], 3)).toMatchObject({ cancel: [3], cancelSent: [] });
    expect(plan([...units], 2)).toMatchObject({ cancel: [3, 1], cancelSent: [] });
    expect(plan([...units], 1)).toMatchObject({ cancel: [3, 1, 4], cancelSent: [] });
    expect(plan([...units], 0)).toMatchObject({ cancel: [3, 1, 4], cancelSent: [2] });
  });

  test.each(["sending", "ambiguous", "created"] as const)(
    "that are %s are for a person to decide about",
    (state) => {
      expect(plan([[1, state]], 0)).toEqual({ open: [], cancel: [], cancelSent: [1] });
    },
  );

  test("never take the number of one that was cancelled", () => {
    expect(
      plan(
        [
          [1, "cancelled"],
          [2, "cancelled"],
        ],
        1,
      ).open,
    ).toEqual([3]);
    expect(
      plan(
        [
          [1, "created"],
          [5, "cancelled"],
        ],
        2,
      ).open,
    ).toEqual([6]);
  });

  test("count once, however many generations they have", () => {
    expect(
      plan(
        [
          [1, "created", 1],
          [1, "created", 2],
        ],
        1,
      ),
    ).toEqual({ open: [], cancel: [], cancelSent: [] });
    expect(
      plan(
        [
          [1, "created", 1],
          [1, "ready", 2],
        ],
        0,
      ),
    ).toEqual({ open: [], cancel: [1], cancelSent: [1] });
  });
});

describe("which units are given up", () => {
  const created = (unit: number, more: Partial<Unit> = {}) =>
    request({ unit, generation: 1, state: "created", ...more });
  const taken = (requests: ReferralRequest[], quantity: number, reported: number[] = []) =>
    planUnits(requests, quantity, new Set(reported.map((unit) => `${unit}.1`))).cancelSent.map(
      ({ unit }) => unit,
    );

  test("never one with results while there is one without, and the newest first", () => {
    const three = [created(1), created(2), created(3)];
    expect(taken(three, 2)).toEqual([3]);
    expect(taken(three, 2, [3])).toEqual([2]);
    expect(taken(three, 1, [2, 3])).toEqual([1, 3]);
  });

  test("those that were chosen before, whatever has become of them since", () => {
    const three = [
      created(1),
      created(2, { cancellation: { requestedBy: "store", status: "requested" } }),
      created(3),
    ];
    expect(taken(three, 2)).toEqual([2]);
    expect(taken(three, 2, [2])).toEqual([2]);
    expect(planUnits(three, 3).wanted.map(({ unit }) => unit)).toEqual([2]);
  });

  test("those that staff had cancelled, which are still paid for until then", () => {
    const cancelled = request({
      unit: 1,
      generation: 1,
      state: "cancelled",
      cancellation: { requestedBy: "staff", status: "done" },
    });
    const units = [cancelled, created(2)];
    expect(planUnits(units, 2)).toMatchObject({ open: [], cancel: [], cancelSent: [], settle: [] });
    expect(planUnits(units, 1)).toMatchObject({ open: [], cancelSent: [], settle: [cancelled] });
    expect(planUnits(units, 0).cancelSent.map(({ unit }) => unit)).toEqual([2]);
  });

  test("those that staff had cancelled before those that were chosen before", () => {
    const cancelled = request({
      unit: 1,
      generation: 1,
      state: "cancelled",
      cancellation: { requestedBy: "staff", status: "done" },
    });
    const units = [
      cancelled,
      created(2, { cancellation: { requestedBy: "store", status: "requested" } }),
    ];
    expect(planUnits(units, 1)).toMatchObject({ settle: [cancelled], cancelSent: [] });
  });

  test("the one of which any generation was chosen before", () => {
    const chosen = created(1, { cancellation: { requestedBy: "store", status: "requested" } });
    const units = [chosen, created(1, { generation: 2 }), created(2)];
    expect(taken(units, 1)).toEqual([1, 1]);
  });

  test("an unsent one before a sent one, by what its dearest generation costs", () => {
    const ready = (unit: number, generation = 1) => request({ unit, generation, state: "ready" });
    expect(planUnits([ready(1), created(2)], 1).cancel.map(({ unit }) => unit)).toEqual([1]);
    const cancelled = request({
      unit: 2,
      generation: 1,
      state: "cancelled",
      cancellation: { requestedBy: "staff", status: "done" },
    });
    const twoReady = planUnits([ready(1), cancelled, ready(2, 2)], 1);
    expect(twoReady.cancel.map(({ unit }) => unit)).toEqual([2]);
  });

  test("one that staff had cancelled and ordered again as any other", () => {
    const cancelled = request({
      unit: 1,
      generation: 1,
      state: "cancelled",
      cancellation: { requestedBy: "staff", status: "done" },
    });
    const units = [cancelled, created(1, { generation: 2 }), created(2)];
    expect(taken(units, 1)).toEqual([2]);
  });

  test("none is wanted again that staff gave up", () => {
    const byStaff = created(1, { cancellation: { requestedBy: "staff", status: "confirmed" } });
    expect(planUnits([byStaff], 1).wanted).toEqual([]);
    const byStore = created(1, { cancellation: { requestedBy: "store", status: "confirmed" } });
    expect(planUnits([byStore], 1).wanted).toEqual([byStore]);
  });

  test("does not simply cancel a unit whose other part exists", () => {
    const unsent = request({
      unit: 1,
      generation: 1,
      state: "ready",
      missingPart: "medicare",
    });
    expect(planUnits([unsent], 0)).toMatchObject({ cancel: [], cancelSent: [unsent] });
  });
});

test("leaves what was bought after a plan is carried out, and plans nothing the second time", () => {
  const unit = fc.record({
    unit: fc.integer({ min: 1, max: 6 }),
    generation: fc.integer({ min: 1, max: 2 }),
    state: fc.constantFrom(...REQUEST_STATES),
    cancellation: fc.constantFrom<Cancellation | null>(
      null,
      { requestedBy: "store", status: "requested" },
      { requestedBy: "store", status: "confirmed" },
      { requestedBy: "staff", status: "confirmed" },
    ),
  });
  const units = fc.uniqueArray(unit, {
    selector: (u) => `${u.unit}.${u.generation}`,
    maxLength: 10,
  });
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 8 }), (before, bought) => {
      const requests = before.map(request);
      const { open, cancel, cancelSent, settle } = planUnits(requests, bought);
      const taken = new Set(requests.map((r) => r.unit));
      expect(open.filter((number) => taken.has(number))).toEqual([]);
      expect(new Set(open).size).toBe(open.length);
      for (const r of cancel) expect(UNSENT_STATES).toContain(r.state);
      for (const r of cancelSent) expect(UNSENT_STATES).not.toContain(r.state);
      const gone = new Set([...cancel, ...cancelSent, ...settle]);
      const isOver = (r: ReferralRequest) =>
        r.state === "cancelled" && r.cancellation?.requestedBy !== "staff";
      const left = requests.filter((r) => !isOver(r) && !gone.has(r));
      const leftUnits = new Set([...left.map((r) => r.unit), ...open]);
      expect(leftUnits.size).toBe(bought);

      const after = requests.map((r) => {
        if (cancel.includes(r) || settle.includes(r))
          return {
            ...r,
            state: "cancelled" as const,
            cancellation: { requestedBy: "store", status: "done" } as const,
          };
        return cancelSent.includes(r)
          ? { ...r, cancellation: { requestedBy: "store", status: "requested" } as const }
          : r;
      });
      const opened = open.map((number) =>
        request({ unit: number, generation: 1, state: "awaiting_details" }),
      );
      const again = planUnits([...after, ...opened], bought);
      expect(again.open).toEqual([]);
      expect(again.cancel).toEqual([]);
      expect(again.cancelSent.map((r) => r.id).sort()).toEqual(cancelSent.map((r) => r.id).sort());
    }),
    { numRuns: 2000 },
  );
});

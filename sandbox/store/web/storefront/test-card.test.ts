import { describe, expect, it } from "vitest";
import { chargeTestCard } from "./test-card.ts";

describe("chargeTestCard", () => {
  it("takes a number with a right check digit as an ordinary payment", () => {
    expect(chargeTestCard("4242 4242 4242 4242")).toEqual({ ok: true, test: false });
  });
  it("refuses a wrong check digit", () => {
    expect(chargeTestCard("4242 4242 4242 4241")).toMatchObject({ ok: false });
  });
  it("knows the bogus gateway's numbers", () => {
    expect(chargeTestCard("1")).toEqual({ ok: true, test: true });
    expect(chargeTestCard("2")).toEqual({ ok: false, message: "Your card was declined." });
  });
});

import { expect, test } from "vitest";
import { HIGH_RISK_CHOICES, WAITING_CHOICES } from "./policy-words.ts";

test("a choice's help is read by itself, and fits one referral as well as many", () => {
  const helps = [...HIGH_RISK_CHOICES, ...WAITING_CHOICES].map(({ helpText }) => helpText);
  for (const help of helps) expect(help).not.toMatch(/^(So|In|Their) /);
});

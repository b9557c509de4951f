import { addressLine } from "../referrals/address-line.ts";
import type { Person } from "../referrals/referral.ts";
import { ageOn, printedDate } from "./dates.ts";
import { drawField, drawPanel } from "./field.ts";
import { bodyWidth, margin } from "./letterhead.ts";
import type { Sheet } from "./sheet.ts";

/** The patient block that forms and reports share; returns the y below. */
export function drawPatientPanel(
  sheet: Sheet,
  y: number,
  {
    person,
    atMs,
    extra,
  }: { person: Person; atMs: number; extra: { label: string; value: string }[] },
): number {
  const height = 97;
  const inner = drawPanel(sheet, { x: margin, y, width: bodyWidth, height }, "Patient");
  const column = (fraction: number) => inner.x + inner.width * fraction;
  const field = (
    from: number,
    to: number,
    row: number,
    label: string,
    value: string,
    bold = false,
  ) =>
    drawField(
      sheet,
      { x: column(from), y: inner.y + row * 25, width: inner.width * (to - from) - 8 },
      label,
      value,
      { bold },
    );
  field(0, 0.27, 0, "Surname", person.lastName.toUpperCase(), true);
  field(0.27, 0.52, 0, "Given names", person.firstName, true);
  field(0.52, 0.72, 0, "Date of birth", printedDate(person.dob));
  field(0.72, 0.84, 0, "Age", `${ageOn(person.dob, atMs)} years`);
  field(0.84, 1, 0, "Sex", person.gender === "female" ? "Female" : "Male");
  field(0, 0.72, 1, "Address", addressLine(person.address));
  field(0.72, 1, 1, "Telephone", person.phone);
  if (extra.length === 0) field(0, 0.72, 2, "Email", person.email);
  else field(0.72, 1, 2, "Email", person.email);
  for (const [index, { label, value }] of extra.entries()) {
    field([0, 0.27, 0.52, 0.72][index] ?? 0, [0.27, 0.52, 0.72, 1][index] ?? 1, 2, label, value);
  }
  return y + height + 8;
}

import { expect, test } from "vitest";
import { nameInMail } from "./name-in-mail.ts";

test.each([
  ["Zoë O’Brien-Smith", "Zoë O’Brien-Smith"],
  ["J. R. Smith Jr.", "J. R. Smith Jr."],
  ["J.Smith", "J. Smith"],
  ["李小龍", "李小龍"],
  ["win.example/now", "win. example now"],
  ["mail thief@evil.example", "mail thief evil. example"],
  ["evil\u3002example", "evil. example"],
  ["Ada \u202eelpmaxe", "Ada elpmaxe"],
  ["Ada\r\nBcc: x", "Ada Bcc: x"],
  ["x".repeat(70), `${"x".repeat(60)}…`],
])("a name (%j) is written as %j", (name, written) => {
  expect(nameInMail(name)).toBe(written);
});

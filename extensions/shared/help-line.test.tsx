import { expect, test } from "vitest";
import { hostOfLocale } from "../testing/host-of-locale.ts";
import { all, attribute, renderInto } from "../testing/render.tsx";
import { HelpLine } from "./help-line.tsx";

test.each([
  ["+61 (0)2 9123 4567", "tel:+61291234567"],
  ["02 9123 4567 ext 4", null],
])("shows the number %s as the shop wrote it, dialled as the app says: %s", (phone, phoneUrl) => {
  const help = {
    ...{ shopName: "Example Health", email: null, hours: null, timeZone: null },
    ...{ phone, phoneUrl },
  };
  const root = renderInto(
    hostOfLocale("my-tests"),
    "https://app.example",
    <HelpLine help={help} />,
  );
  expect(root.textContent).toContain(phone);
  const links = all(root, "s-link").map((link) => attribute(link, "href"));
  expect(links).toEqual(phoneUrl ? [phoneUrl] : []);
});

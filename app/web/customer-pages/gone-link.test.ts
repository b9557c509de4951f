import { expect, test } from "vitest";
import { LINK_ENDS } from "../../modules/access/link-end.ts";
import { goneLinkPage } from "./message-pages.tsx";

test("no link that was closed for another reason is said to have expired or been used", () => {
  const titles = Object.fromEntries(LINK_ENDS.map((why) => [why, goneLinkPage(why).title]));
  const [closed, gone] = ["This link is closed", "This link has expired or been used"];
  expect(titles).toEqual({
    ...{ used: gone, expired: gone },
    ...{ revoked: closed, superseded: closed, over: closed, moved: closed, left: closed },
  });
  expect(goneLinkPage().title).toBe(gone);
});

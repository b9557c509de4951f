import { customerWords as words } from "../../modules/access/customer-words.ts";
import { FORM_TOKEN } from "./page-context.ts";

/** Ends the session: for a borrowed computer. */
export const LeaveForm = ({ base, formToken }: { base: string; formToken: string }) => (
  <form method="post" action={`${base}/leave`}>
    <input type="hidden" name={FORM_TOKEN} value={formToken} />
    <button type="submit">{words("and_here.leave")}</button>
  </form>
);

import { crashPoint } from "../../../platform/crash-points.ts";
import { retryUntil } from "../../../platform/retry-until.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { type Mail, MailUnclearError, RecipientRefusedError } from "../../kernel/notification.ts";
import type { Ports } from "../../privacy/ports.ts";

/** How long a mail that is out is tried to be written down: longer than a database takes to come up again. */
const RECORDING = { forMs: 20_000, everyMs: 250 };

/**
 * Hands one mail to the outgoing server and writes down what it said. Should the process die between its yes and ours on
 * disk, the mail is sent again: a second friendly mail does less harm than none; a database that is away for a moment is
 * waited for. `recordRefused` is told of a recipient whom the server refuses, and says whether that ends the matter. Throws
 * when the server did not take the mail otherwise, and also when it did not say whether it takes it: `recordUnclear` is told.
 */
export async function deliverMail(
  { mailer, clock }: Pick<Ports, "mailer" | "clock">,
  { shop, mail }: { shop: ShopDomain; mail: Mail },
  {
    recordSent,
    recordRefused,
    recordUnclear,
  }: {
    /** `refused`: the addresses that were refused while the others' were taken. */
    recordSent(at: Date, refused: string[]): Promise<void>;
    recordRefused(refusal: { isFinal: boolean; at: Date }): Promise<boolean>;
    recordUnclear(at: Date): Promise<void>;
  },
): Promise<"sent" | "refused"> {
  crashPoint("mail.before-send");
  let refused: string[];
  try {
    refused = await mailer.send(shop, mail);
  } catch (error) {
    if (error instanceof MailUnclearError) {
      const at = clock.now();
      await retryUntil(() => recordUnclear(at), RECORDING);
    }
    if (!(error instanceof RecipientRefusedError)) throw error;
    if (!(await recordRefused({ isFinal: error.isFinal, at: clock.now() }))) throw error;
    return "refused";
  }
  crashPoint("mail.after-send-before-record");
  const at = clock.now();
  await retryUntil(() => recordSent(at, refused), RECORDING);
  crashPoint("mail.after-record");
  return "sent";
}

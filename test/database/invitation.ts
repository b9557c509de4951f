import { invitePatient } from "../../app/modules/access/invite-patient.ts";
import {
  findCustomerRequest,
  listCustomerRequests,
} from "../../app/modules/access/list-requests.ts";
import { openLink, recogniseSession } from "../../app/modules/access/open-link.ts";
import { savePatientDetails } from "../../app/modules/access/save-patient-details.ts";
import type { Viewer } from "../../app/modules/access/viewer.ts";
import { gid } from "../../app/modules/kernel/ids.ts";
import { START } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { mailRun, tokenOf } from "./mail-run.ts";
import { installedShop, newRequest, orderLine, PATIENT, storeOrder } from "./seed.ts";

export const BUYER: Viewer = { kind: "customer", customerId: gid("Customer", 7) };
export const STRANGER: Viewer = { kind: "customer", customerId: gid("Customer", 8) };
const DETAILS = { ...PATIENT, consent: true };

/** An order of two units and everything that a mail, a link and a reminder need. */
export async function startInvitation(
  db: TestDatabase,
  {
    guest = false,
    buyer = {},
  }: { guest?: boolean; buyer?: { firstName?: string; lastName?: string } } = {},
) {
  const shop = await installedShop(db);
  const { clock, mails, ports, runJobs } = mailRun(db, shop);
  const customerId = guest ? null : gid("Customer", 7);
  const ordered = storeOrder({ customerId, lines: [orderLine({ quantity: 2 })] });
  const order = { ...ordered, buyer: { ...ordered.buyer, ...buyer } };
  const requests = [1, 2].map((unit) => newRequest(shop, order, { unit }));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.rename("Example Health");
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add(requests, START);
  });
  const [id = "", other = ""] = requests.map((request) => request.id);
  const token = tokenOf;
  const give = (viewer: Viewer, requestId = id) =>
    savePatientDetails(ports, { shop, viewer, requestId, details: DETAILS });
  const send = (email: unknown = "pat@example.com", viewer = BUYER) => {
    clock.advance(1);
    return invitePatient(ports, { shop, viewer, requestId: id, email });
  };
  const see = (viewer: Viewer) => listCustomerRequests(ports, { shop, viewer });
  const seeOne = (viewer: Viewer) => findCustomerRequest(ports, { shop, viewer, requestId: id });
  const open = (secret: string) => openLink(ports, { shop, token: secret });
  const viewerOf = async (secret: string) =>
    (await recogniseSession(ports, { shop, secret }))?.viewer ?? null;
  /** Lets the patient in by the last mail, and answers who they are to the app. */
  async function enter() {
    await runJobs();
    const session = await open(token(mails.at(-1)));
    const viewer = await viewerOf(session?.secret ?? "");
    if (!viewer) throw new Error("The link let nobody in");
    return viewer;
  }
  return {
    shop,
    ports,
    clock,
    mails,
    id,
    other,
    token,
    runJobs,
    give,
    send,
    see,
    seeOne,
    open,
    enter,
    viewerOf,
  };
}

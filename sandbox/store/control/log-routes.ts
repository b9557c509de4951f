import express, { type Router } from "express";
import { z } from "zod";
import { faultSettings } from "../faults.ts";
import { mailsNewestFirst } from "../mail/mailbox.ts";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { credentials } from "../state/credentials.ts";
import { deliveryAnswer, mailAnswer } from "./views.ts";

/** Ten years are more than any test needs; a time that has no date ends the store. */
const maxAdvanceSeconds = 10 * 366 * 24 * 3600;
const advance = z.object({ advanceSeconds: z.number().nonnegative().max(maxAdvanceSeconds) });

/** Serves what was sent and received, faults, and time. */
export function logRoutes(platform: Platform): Router {
  const router = express.Router();
  const { data, faults, clock } = platform;
  const delivery = (id: string) => {
    const found = data.deliveries.get(id);
    if (!found) throw new Refusal(404, "there is no such delivery");
    return found;
  };

  router.get("/deliveries", (_request, response) => {
    const newestFirst = data.deliveries.all().sort((left, right) => right.sequence - left.sequence);
    response.json(newestFirst.map(deliveryAnswer));
  });
  router.get("/deliveries/:id", (request, response) => {
    const found = delivery(request.params.id);
    response.json({
      ...deliveryAnswer(found),
      headers: platform.webhooks.headers(found),
      payload: found.payload,
    });
  });
  router.post("/deliveries/:id/redeliver", (request, response) => {
    platform.webhooks.redeliver(delivery(request.params.id).id);
    response.status(202).json({ id: request.params.id });
  });

  router.get("/mail", (_request, response) => {
    response.json(mailsNewestFirst(data).map(mailAnswer));
  });
  router.delete("/mail", (_request, response) => {
    for (const mail of data.mails.all()) data.mails.delete(mail.id);
    response.status(204).end();
  });

  router.get("/faults", (_request, response) => {
    response.json(faults.current());
  });
  router.put("/faults", (request, response) => {
    faults.set(faultSettings.parse(request.body));
    response.json(faults.current());
  });

  router.get("/clock", (_request, response) => {
    response.json({ now: clock.nowIso() });
  });
  router.post("/clock", (request, response) => {
    clock.advance(advance.parse(request.body).advanceSeconds * 1000);
    data.credentials.put({ ...credentials(platform), clockOffsetMs: clock.offsetMs() });
    response.json({ now: clock.nowIso() });
  });
  return router;
}

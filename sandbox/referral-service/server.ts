import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { catalogueRoutes } from "./api/catalogue-routes.ts";
import { createRateLimiter } from "./api/rate-limiter.ts";
import { referralRoutes } from "./api/referral-routes.ts";
import { resultRoutes } from "./api/result-routes.ts";
import { attachmentRoute } from "./attachments/attachment-route.ts";
import { consoleRoutes } from "./console/console-routes.ts";
import { createCore, type ServiceAddresses } from "./core.ts";
import { createDeliverer } from "./events/deliverer.ts";
import { createRequestListener } from "./http/request-listener.ts";
import { createRouter } from "./http/router.ts";
import { createCallCounts } from "./http/stats.ts";
import { descriptionRoutes } from "./openapi/description-routes.ts";
import type { ServiceOptions } from "./options.ts";
import { ensureSeededOrganisation, type SeededOrganisation } from "./organisations/seed.ts";
import { pages } from "./pages/pages.ts";
import { createFormQueue } from "./referrals/form-queue.ts";
import { createTokenIssuer } from "./tokens/issue-tokens.ts";
import { tokenRoute } from "./tokens/token-route.ts";

/** How long open requests may take to end when the service stops. */
const drainMs = 1500;

export interface RunningService {
  addresses: ServiceAddresses;
  seed: SeededOrganisation;
  /** Stops listening, lets open requests end, and closes storage; within 5 s. */
  stop(): Promise<void>;
}

/** Starts the service. Rejects when the port is taken or the folder is not writable. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const host = options.host ?? "127.0.0.1";
  const core = createCore(options);
  const seed = ensureSeededOrganisation(core.stores, core.clock.nowMs());
  const formQueue = createFormQueue(core);
  const deliverer = createDeliverer(core);
  const counts = createCallCounts();
  const sockets = new Set<Socket>();
  const api = { core, rateLimiter: createRateLimiter(), formQueue };
  const application = {
    core,
    consoleToken: seed.consoleToken,
    deliverer,
    formQueue,
    counts,
    openConnections: () => sockets.size,
  };
  const { stores, clock, accessTokens, faults } = core;
  const routes = [
    ...referralRoutes(api),
    ...resultRoutes(api),
    ...catalogueRoutes(api),
    tokenRoute(createTokenIssuer({ stores, clock, accessTokens, faults })),
    attachmentRoute(core),
    ...descriptionRoutes(core),
    ...consoleRoutes(application),
    ...pages(application),
  ];
  const server = createServer(createRequestListener({ match: createRouter(routes), counts }));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(options.port, host);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  const origin = `http://${host}:${port}`;
  Object.assign(core.addresses, { baseUrl: origin, authUrl: origin, appUrl: origin });
  formQueue.resume();
  deliverer.wake();

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    formQueue.stop();
    deliverer.stop();
    core.later.stop();
    const closed = once(server, "close");
    server.close();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearTimeout(timer);
    stores.database.close();
  };
  return {
    addresses: core.addresses,
    seed,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

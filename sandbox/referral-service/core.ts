import { createSignedAddresses, type SignedAddresses } from "./attachments/signed-address.ts";
import { type Catalogue, loadCatalogue } from "./catalogue/catalogue.ts";
import { type Clock, createClock } from "./clock.ts";
import { createEventLog, type EventLog } from "./events/event-log.ts";
import { createFaults, type Faults } from "./faults/faults.ts";
import { createLater, type Later } from "./later.ts";
import type { ServiceOptions } from "./options.ts";
import { openDatabase } from "./storage/database.ts";
import { createStores, type Stores } from "./storage/stores.ts";
import { type AccessTokens, createAccessTokens } from "./tokens/access-token.ts";

/** Where the service can be reached; known once it listens. */
export interface ServiceAddresses {
  baseUrl: string;
  authUrl: string;
  appUrl: string;
}

/** The parts that every part of the service works with. */
export interface Core {
  options: ServiceOptions;
  stores: Stores;
  clock: Clock;
  catalogue: Catalogue;
  accessTokens: AccessTokens;
  signedAddresses: SignedAddresses;
  events: EventLog;
  faults: Faults;
  later: Later;
  addresses: ServiceAddresses;
}

/** Opens storage and builds the parts that know nothing of HTTP. */
export function createCore(options: ServiceOptions): Core {
  const stores = createStores(openDatabase(options.data, options.environment));
  const { settings } = stores;
  const clock = createClock(settings);
  const faults = createFaults();
  const addresses: ServiceAddresses = { baseUrl: "", authUrl: "", appUrl: "" };
  return {
    options,
    stores,
    clock,
    catalogue: loadCatalogue(),
    accessTokens: createAccessTokens({ settings, clock, environment: options.environment }),
    signedAddresses: createSignedAddresses({ settings, clock, baseUrl: () => addresses.baseUrl }),
    events: createEventLog({ stores, clock, faults }),
    faults,
    later: createLater(),
    addresses,
  };
}

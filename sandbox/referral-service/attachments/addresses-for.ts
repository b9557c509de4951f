import type { Core } from "../core.ts";
import type { SignedAddresses } from "./signed-address.ts";

/** How an organisation's PDFs are signed: under the service's own host, or under another name of it (fault attachmentHost). */
export function addressesFor(core: Core, organisationId: number): SignedAddresses {
  const { signedAddresses, faults } = core;
  if (faults.of(organisationId).settings.attachmentHost !== "other") return signedAddresses;
  return {
    ...signedAddresses,
    sign(attachment) {
      const url = new URL(signedAddresses.sign(attachment));
      url.hostname = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
      return url.href;
    },
  };
}

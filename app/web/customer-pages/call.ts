import { findCustomerRequest } from "../../modules/access/list-requests.ts";
import type { ViewerScope } from "../../modules/access/viewer.ts";
import type { Ports } from "../../ports.ts";
import type { Page } from "./page.tsx";
import type { PageContext } from "./page-context.ts";

/** One call of a visitor's page. */
export interface Call {
  ports: Ports;
  viewerScope: ViewerScope;
  context: PageContext;
  request: Request;
  /** The address below the place. */
  path: string;
  /** The id in the address; empty where the address has none. */
  id: string;
  form: FormData;
  openDocument: (documentId: string) => Promise<Response | null>;
  openExport: () => Promise<Response>;
}

/** A page still to be dressed, or a whole response. */
export type Answer = Promise<Page | Response>;

/** The visitor's own unit that the address names; null when they have none of that id. */
export const unitOf = ({ ports, viewerScope, id }: Call) =>
  findCustomerRequest(ports, { ...viewerScope, requestId: id });

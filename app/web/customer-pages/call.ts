import type { Visitor } from "../../modules/access/viewer.ts";
import type { Ports } from "../../ports.ts";
import type { Place } from "./place.ts";

/** One call of a visitor's page. */
export interface Call {
  ports: Ports;
  visitor: Visitor;
  place: Place;
  request: Request;
  /** The address below the place. */
  path: string;
  /** The id in the address; empty where the address has none. */
  id: string;
  form: FormData;
  openDocument: (documentId: string) => Promise<Response | null>;
}

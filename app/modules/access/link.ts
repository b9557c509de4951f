import type { SecretLife } from "../kernel/secret.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { LinkPurpose } from "./link-purpose.ts";

/**
 * The people whom mailed links are for: a guest, the patient of a unit, or a recipient who wants no more reminders.
 */
export const LINK_KINDS = ["guest", "handover", "buyer_stop", "patient_stop"] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export const STOP_KINDS = {
  buyer: "buyer_stop",
  patient: "patient_stop",
} as const satisfies Record<UnitOwner, LinkKind>;

/** Returns whose reminders a link of this kind ends; null for a link that lets somebody in. */
export function stopsOf(kind: LinkKind): UnitOwner | null {
  if (kind === STOP_KINDS.buyer) return "buyer";
  return kind === STOP_KINDS.patient ? "patient" : null;
}

export interface AccessLink extends Required<SecretLife> {
  id: string;
  requestId: string;
  kind: LinkKind;
  purpose: LinkPurpose;
  /** Keyed hash of the address that the link was mailed to. Null for links of earlier versions. */
  recipient: Buffer | null;
  createdAt: Date;
}

/** The session of one browser, or one program, that a link let in. */
export interface GuestSession {
  link: AccessLink;
  /** When the mailed code was shown; null before. */
  steppedUpAt: Date | null;
}

export interface LinkRepository {
  create(link: {
    id: string;
    tokenHash: Buffer;
    requestId: string;
    kind: LinkKind;
    purpose: LinkPurpose;
    recipient: Buffer;
    expiresAt: Date;
    at: Date;
  }): Promise<void>;
  /** Keyed hash of an address: equal for equal addresses, and nobody can tell the address from it. */
  recipientOf(email: string): Buffer;
  /** Whatever became of it. */
  findByToken(tokenHash: Buffer): Promise<AccessLink | null>;
  find(id: string): Promise<AccessLink | null>;
  /** Uses the link up, in one statement; null when it is used, expired, superseded, revoked or unknown. */
  takeOnce(tokenHash: Buffer, now: Date): Promise<AccessLink | null>;
  /** Records that the outgoing server took the mail with these links. */
  markMailed(ids: readonly string[], at: Date): Promise<void>;
  /**
   * Ends links of these requests whose mail had left before `by` was made, for the same kind of recipient. Mails that
   * were on their way at the same time arrive in any order, so neither ends the other. `besides`: the links of one mail, `by`
   * among them, which do not end each other.
   */
  supersede(
    by: AccessLink,
    older: {
      requestIds: string[];
      purposes: readonly LinkPurpose[];
      besides: readonly string[];
    },
    at: Date,
  ): Promise<void>;
  /** Ends the links of a patient to these requests, and the sessions of those that let somebody in. */
  revokeInvitations(requestIds: readonly string[], at: Date): Promise<void>;
  /** Begins a session, and forgets those that have ended. */
  saveSession(session: {
    secretHash: Buffer;
    linkId: string;
    expiresAt: Date;
    at: Date;
  }): Promise<void>;
  /** A session that goes on; null when it ended or its link was revoked. */
  findSession(secretHash: Buffer, now: Date): Promise<GuestSession | null>;
  /** A session that ended by the clock less than a day ago; null for every other. It opens nothing any more. */
  findLapsedSession(secretHash: Buffer, now: Date): Promise<GuestSession | null>;
  /** Notes that the session has shown the mailed code. */
  stepUpSession(secretHash: Buffer, at: Date): Promise<void>;
  endSession(secretHash: Buffer): Promise<void>;
  /** Ends every session that a link for one of these requests let in; `kind` narrows them. Returns how many. */
  endSessionsOf(requestIds: readonly string[], kind?: LinkKind): Promise<number>;
}

/** After so long a link without a record of its mail counts as mailed: the process died between the two. */
export const MAIL_UNRECORDED_MS = 5 * 60_000;

/** For so long a session that ended by the clock still says who typed an answer. It opens nothing. */
export const LAPSED_SESSION_MS = 22 * 3_600_000;

/** The service's two independent environments (interface §1.7). */
export const ENVIRONMENTS = ["staging", "production"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** How the service's event deliveries are verified; the interface leaves it open (§6, gaps). */
export const SIGNING_SCHEMES = [
  "standard-webhooks",
  "hmac-hex",
  "hmac-base64",
  "shared-secret",
  "none",
] as const;
export type SigningScheme = (typeof SIGNING_SCHEMES)[number];

export interface Signing {
  scheme: SigningScheme;
  /** Header that carries the signature or secret; null for the scheme's own. */
  header: string | null;
  secret: string | null;
  /** The secrets before this one that still count. */
  previousSecrets?: readonly string[];
}

/** Signing as it is to be saved: a secret that is null stays. */
export interface NewSigning {
  scheme: SigningScheme;
  header: string | null;
  secret: string | null;
  /** Whether secrets that were replaced, now or before, count no more: one may have leaked. */
  endFormer?: boolean;
}

/** A signing secret that is replaced counts for so long after its change: two systems are not changed at one moment. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** Whether deliveries may go unsigned: never where patients are real. */
export const maySkipSignature = (environment: Environment): boolean => environment === "staging";

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Versions of the interface (§9). An organisation may have the first one only: neither bundles nor Medicare tests. */
export const API_VERSIONS = ["1.0.0", "1.1.0"] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** A connection as people see it: without its secrets. */
export interface Connection {
  environment: Environment;
  /** Shown so that a person can tell which credentials are in use; not a secret by itself. Null where it can't be opened. */
  clientId: string | null;
  /** Since when the credentials are these; null for those of an earlier version. */
  credentialsAt: Date | null;
  /** The same of the signing secret. */
  signingSecretAt: Date | null;
  /** Since when it is this client; null when it never was another. */
  clientSince: Date | null;
  /** The secret last part of the address that the service sends its events to. Null where it can't be opened. */
  addressToken: string | null;
  signingScheme: SigningScheme;
  signingHeader: string | null;
  hasSigningSecret: boolean;
  /** Until when the secret before this one counts, the last of all; null when there is none. It may have passed. */
  previousSecretUntil: Date | null;
  lastEventAt: Date | null;
  /** When the last event came that was signed as agreed, and readable; an unsigned one proves nothing. */
  signedEventAt: Date | null;
  lastTestedAt: Date | null;
  /** When the service answered a call last; null when it never did. */
  answeredAt: Date | null;
  /** Since when calls fail, and by which code; null while they are answered. */
  failing: { since: Date; code: string } | null;
  /** Since when orders that were sent fail, whatever became of other calls; null once one was answered. */
  ordersFailingSince: Date | null;
  /** Since when the outage lasts that the merchant was emailed about; null once its end was told. */
  outageToldSince: Date | null;
  /** When the store last refused for good to start the merchant's workflows of an outage; null once it started some. */
  flowRefusedAt: Date | null;
  /** "ok", or the code of the failure. */
  lastTestOutcome: string | null;
  /** How far the service's lists have been compared with what is stored. */
  syncedThrough: Date | null;
  /** Pages that the present comparison has read; null when none is under way. */
  syncPages: number | null;
  /** Since when nothing is sent, because the database was restored; null when all is well. */
  pausedAt: Date | null;
  eventsRepaired: number;
  eventsReceived: number;
}

/** Whether calls fail because the service refuses the credentials: it answers, and goes on refusing until somebody acts. */
export const areCredentialsRefused = ({ failing }: Pick<Connection, "failing">): boolean =>
  failing?.code === CREDENTIALS_REFUSED;
export const CREDENTIALS_REFUSED = "referral_service_unauthorized";

/** The code where the credentials that are stored can't be opened, until somebody enters them anew or puts the keys right. */
export const CONNECTION_UNREADABLE = "connection_unreadable";
export const areCredentialsUnreadable = ({ failing }: Pick<Connection, "failing">): boolean =>
  failing?.code === CONNECTION_UNREADABLE;

/** The code where this machine is why no call arrives: its DNS, its network, its clock, or a proxy before it. */
export const UNREACHABLE_FROM_HERE = "referral_service_unreachable";
export const isUnreachableFromHere = ({ failing }: Pick<Connection, "failing">): boolean =>
  failing?.code === UNREACHABLE_FROM_HERE;

/** The code where the service answers other calls, and takes no orders. */
export const TAKES_NO_ORDERS = "takes_no_orders";

/** Whether calls fail until somebody enters credentials: they are refused, or can't be read. */
export const areCredentialsNeeded = (connection: Pick<Connection, "failing">): boolean =>
  areCredentialsRefused(connection) || areCredentialsUnreadable(connection);

/** Whether the last test passed, and no call since failed for its credentials: a passing outage ends by itself. */
export const isConnected = (connection: Pick<Connection, "lastTestOutcome" | "failing">): boolean =>
  connection.lastTestOutcome === "ok" && !areCredentialsNeeded(connection);

/** When calls were answered last, and the first failure since then. */
export interface AnswersLately {
  answeredAt: Date | null;
  failingSince: Date | null;
}

/** The calls since they were noted last. */
export interface LateCalls extends AnswersLately {
  failureCode: string | null;
  /** The same of orders alone; absent where none was sent. */
  orders?: AnswersLately | null;
}

export interface ConnectionRepository {
  find(environment: Environment): Promise<Connection | null>;
  all(): Promise<Connection[]>;
  /**
   * Creates or replaces credentials and signing; the address stays once made. A signing secret that is replaced counts for
   * `PREVIOUS_SECRET_MS` more after `at`, whatever is saved then; `endFormer` ends all that were replaced. One that is new
   * soon after the database took the place of another is paused.
   */
  save(change: {
    environment: Environment;
    credentials: Credentials | null;
    signing: NewSigning;
    at?: Date;
  }): Promise<Connection>;
  /** Notes that the credentials are another client's than before. */
  recordOtherClient(environment: Environment, at: Date): Promise<void>;
  /** Whether a request of the environment is being sent, or nobody knows what became of it. */
  hasUnclearAttempts(environment: Environment): Promise<boolean>;
  remove(environment: Environment): Promise<void>;
  /** Notes what calls came to. Failures that go on keep their beginning. */
  recordCalls(environment: Environment, calls: LateCalls): Promise<void>;
  /** Notes that the credentials can be opened, where it was noted that they can't. */
  recordReadable(environment: Environment): Promise<void>;
  /** Notes which outage the merchant is emailed about. Returns false when another process has noted it. */
  recordOutageTold(
    environment: Environment,
    change: { from: Date | null; to: Date | null },
  ): Promise<boolean>;
  /** Notes that the store refused to start workflows of an outage; null: that it started some. */
  recordFlowRefused(environment: Environment, at: Date | null): Promise<void>;
  recordTest(environment: Environment, test: { outcome: string; at: Date }): Promise<void>;
  /** Notes which version of the interface the organisation has (interface §9), where another one was noted, or none. */
  recordVersion(environment: Environment, apiVersion: ApiVersion): Promise<void>;
  /** One more event came: readable or not, and signed if the connection's events are. */
  recordEvent(environment: Environment, event: { at: Date; isReadable: boolean }): Promise<void>;
}

/** So long credentials may be refused, or a connection be missing, before waiting patients are told: somebody may be changing them. */
export const CUT_OFF_AFTER_MS = 24 * 3_600_000;

/** Outcome of a test whose credentials were taken, but whose organisation may not see what can be ordered (403). */
export const NOT_ENTITLED = "not_entitled";

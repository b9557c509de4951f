/**
 * Messages between the admin frame and the app inside its iframe. Both sides check the sender's window and origin;
 * the envelope's `channel` keeps other scripts' messages out.
 */
export const CHANNEL = "sandbox-app-bridge";

/** The store's values in front of the App Bridge script. */
export interface BridgeConfig {
  /** Origin of the admin frame, the only one that the bridge talks to. */
  adminOrigin: string;
  /** Path of the app inside the admin: `/admin-ui/store/example/apps/pathway`. */
  adminAppPath: string;
  /** Path of the admin itself: `/admin-ui/store/example`. */
  adminBasePath: string;
  shop: string;
  apiKey: string;
  host: string;
  locale: string;
  /** What `shopify.app.extensions()` answers. */
  extensions: ExtensionInfo[];
}

/** As in @shopify/app-bridge-types: a theme's activations are its blocks. */
export interface ExtensionInfo {
  handle: string;
  type: "ui_extension" | "theme_app_extension";
  activations: {
    target: string;
    handle?: string;
    name?: string;
    status?: "active" | "available" | "unavailable";
    activations?: { target: string; themeId: string }[];
  }[];
}

export interface TitleBarAction {
  id: string;
  label: string;
  variant: "primary" | "breadcrumb" | "secondary";
  tone: string;
  disabled: boolean;
  loading: boolean;
  /** Heading of the menu that the action belongs to, or null. */
  group: string | null;
}

export interface TitleBar {
  title: string;
  actions: TitleBarAction[];
}

export interface NavLink {
  id: string;
  label: string;
  /** Address inside the app, absolute. */
  href: string;
  home: boolean;
}

export interface SaveBar {
  id: string;
  saveDisabled: boolean;
  saveLoading: boolean;
  discardDisabled: boolean;
  discardConfirmation: boolean;
}

export interface ToastMessage {
  id: string;
  message: string;
  isError: boolean;
  durationMs: number;
  action: string | null;
}

export interface PickerRequest {
  type: "product" | "variant" | "collection";
  action: "add" | "select";
  multiple: boolean | number;
  query: string;
  /** Ids that are selected when the picker opens: products and variants. */
  selectedIds: string[];
  showVariants: boolean;
}

export interface ScopesDetail {
  granted: string[];
  required: string[];
  optional: string[];
}

/** Calls of the app to the frame: method → [parameters, answer]. */
export interface BridgeCalls {
  hello: [{ href: string; title: string }, { ready: true }];
  idToken: [null, string];
  location: [{ href: string; title: string }, null];
  titleBar: [TitleBar | null, null];
  navMenu: [NavLink[], null];
  saveBar: [SaveBar | null, null];
  confirmLeave: [null, boolean];
  loading: [boolean, null];
  toast: [ToastMessage, null];
  hideToast: [string, null];
  /** Leaves the app: a path of the admin (`/orders/1`) or an address. */
  open: [{ url: string; newWindow: boolean }, null];
  resourcePicker: [PickerRequest, unknown[] | null];
  scopes: [null, ScopesDetail];
  requestScopes: [string[], { result: "granted-all" | "declined-all"; detail: ScopesDetail }];
  revokeScopes: [string[], ScopesDetail];
  user: [null, { id: number; name: string; email: string; accountAccess: string }];
  graphql: [{ query: string; variables?: Record<string, unknown> }, unknown];
}
export type BridgeMethod = keyof BridgeCalls;

/** Events of the frame for the app. */
export interface BridgeEvents {
  navigate: { href: string; linkId: string | null };
  titleBarAction: { id: string };
  saveBarAction: { id: string; action: "save" | "discard" };
  toastAction: { id: string };
  toastDismiss: { id: string };
}
export type BridgeEvent = keyof BridgeEvents;

export type BridgeMessage =
  | { channel: typeof CHANNEL; kind: "call"; id: number; method: BridgeMethod; parameters: unknown }
  | { channel: typeof CHANNEL; kind: "answer"; id: number; result: unknown }
  | { channel: typeof CHANNEL; kind: "failure"; id: number; message: string }
  | { channel: typeof CHANNEL; kind: "event"; event: BridgeEvent; detail: unknown };

/** Reads an incoming message; null when it is not one of ours. */
export function readMessage(data: unknown): BridgeMessage | null {
  if (typeof data !== "object" || data === null) return null;
  return (data as { channel?: unknown }).channel === CHANNEL ? (data as BridgeMessage) : null;
}

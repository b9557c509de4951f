/** The admin page that holds the app in an iframe: navigation, title bar, save bar, toasts and pickers around it. */
import type { NavLink } from "../bridge-protocol.ts";
import { find, pageData, post } from "./dom.ts";
import { FrameConnection } from "./frame-connection.ts";
import { cleanPath, drawAppNavigation } from "./navigation.ts";
import { requestScopes } from "./request-scopes.ts";
import { openResourcePicker } from "./resource-picker.ts";
import { FrameSaveBar } from "./save-bar.ts";
import { drawTitleBar } from "./title-bar.ts";
import { Toasts } from "./toasts.ts";

interface FrameData {
  appName: string;
  appOrigin: string;
  adminBasePath: string;
  adminAppPath: string;
  apiPath: string;
  /** Path below which the app's embedded pages are. */
  homePath: string;
  path: string;
  /** First address of the iframe; set from here, so that this script listens before the app speaks. */
  source: string;
  staff: { id: number; name: string; email: string; accountAccess: string };
}

const data = pageData<FrameData>("frame-data");
const frame = find<HTMLIFrameElement>("#app-frame");
const progress = find("#progress");
let currentPath = data.path;
let links: NavLink[] = [];
let heardFromApp = false;

const toasts = new Toasts({
  onAction: (id) => connection.emit("toastAction", { id }),
  onDismiss: (id) => connection.emit("toastDismiss", { id }),
});
const saveBar = new FrameSaveBar((id, action) => connection.emit("saveBarAction", { id, action }));

function drawNavigation(): void {
  drawAppNavigation(links, {
    adminAppPath: data.adminAppPath,
    currentPath,
    onNavigate: async (link) => {
      if (!(await saveBar.mayLeave())) return;
      // On a phone the navigation lies over the app.
      find("#admin-nav").hidePopover();
      connection.emit("navigate", { href: link.href, linkId: link.id });
    },
  });
}

/** A page of the app that is to fill the window belongs into the admin; its other addresses stand for themselves. */
function insideAdmin(url: string): string {
  const { origin, pathname } = new URL(url);
  const isPage = pathname === data.homePath || pathname.startsWith(`${data.homePath}/`);
  return origin === data.appOrigin && isPage ? data.adminAppPath + cleanPath(url) : url;
}

/** The admin's address follows the app's; the history entries themselves are the iframe's. */
function follow({ href, title }: { href: string; title: string }): void {
  currentPath = cleanPath(href);
  history.replaceState(null, "", data.adminAppPath + currentPath);
  document.title = `${title || data.appName} · ${data.appName}`;
  drawNavigation();
}

const connection = new FrameConnection(frame, data.appOrigin, {
  hello: (place) => {
    heardFromApp = true;
    find("#app-silent").hidden = true;
    progress.hidden = true;
    saveBar.draw(null);
    follow(place);
    return { ready: true };
  },
  location: (place) => {
    follow(place);
    return null;
  },
  idToken: async () => (await post<{ token: string }>(`${data.apiPath}/session-token`, {})).token,
  titleBar: (bar) => {
    drawTitleBar(bar, {
      appName: data.appName,
      onAction: (id) => connection.emit("titleBarAction", { id }),
    });
    return null;
  },
  navMenu: (menu) => {
    links = menu;
    drawNavigation();
    return null;
  },
  saveBar: (bar) => {
    saveBar.draw(bar);
    return null;
  },
  confirmLeave: () => saveBar.mayLeave(),
  loading: (isLoading) => {
    progress.hidden = !isLoading;
    return null;
  },
  toast: (toast) => {
    toasts.show(toast);
    return null;
  },
  hideToast: (id) => {
    toasts.hide(id);
    return null;
  },
  open: ({ url, newWindow }) => {
    const address = url.startsWith("/") ? data.adminBasePath + url : insideAdmin(url);
    // An app may send people to web pages, never into a script.
    if (!/^(\/|https?:)/.test(address)) throw new Error(`The admin does not open ${address}`);
    if (newWindow) window.open(address, "_blank", "noopener");
    else location.assign(address);
    return null;
  },
  resourcePicker: (request) => openResourcePicker(data.apiPath, request),
  scopes: () => post(`${data.apiPath}/scopes`, {}),
  requestScopes: (scopes) => requestScopes(data, scopes),
  revokeScopes: (scopes) => post(`${data.apiPath}/scopes/revoke`, { scopes }),
  user: () => data.staff,
  graphql: (request) => post<unknown>(`${data.apiPath}/graphql`, request),
});

frame.src = data.source;
drawTitleBar(null, { appName: data.appName, onAction: () => {} });
drawNavigation();

// A frame that stays silent shows an error page of the browser, or an app without App Bridge.
setTimeout(() => {
  if (!heardFromApp) find("#app-silent").hidden = false;
}, 5000);

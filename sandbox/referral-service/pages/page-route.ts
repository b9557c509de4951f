import type { ConsoleDependencies } from "../console/dependencies.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import { readBody } from "../http/read-body.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { TokenError } from "../tokens/token-error.ts";
import { html } from "./html.ts";
import { type Notice, type PageContent, type PageFrame, pageAnswer } from "./layout.ts";
import { readSession, type Session } from "./session.ts";

/** A page request of a signed-in person. */
export interface PageVisit extends Session {
  organisation: Organisation | null;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Set after something was refused or done. */
  notice: Notice | null;
}

/** The outcome of a form: show the page again with a notice, or go elsewhere. */
export type FormOutcome =
  | { kind: "stay"; notice: Notice }
  | { kind: "go"; location: string; cookie?: string };

/** Sentences for `?done=`; only these keys are shown, never what the address says. */
const doneTexts: Record<string, string> = {
  saved: "Saved.",
  verified: "The profile is verified.",
  created: "Created.",
  deleted: "Deleted.",
  sent: "The event is being sent again.",
  changed: "Done.",
};

function doneNotice(query: URLSearchParams): Notice | null {
  const text = doneTexts[query.get("done") ?? ""];
  return text === undefined ? null : { tone: "good", text };
}

function refusalNotice(error: unknown): Notice {
  if (error instanceof ApiError) {
    return { tone: "bad", text: error.message, details: error.errorList };
  }
  if (error instanceof TokenError) return { tone: "bad", text: error.message };
  throw error;
}

/** Refuses forms that another site's page sent. */
function requireOwnOrigin(request: RoutedRequest): void {
  const { origin, host } = request.message.headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ApiError(403, "FORBIDDEN", "The form came from another site");
  }
}

export async function readForm(request: RoutedRequest): Promise<URLSearchParams> {
  requireOwnOrigin(request);
  return new URLSearchParams(await readBody(request.message));
}

/** A page for signed-in people, with the forms that it holds. */
export function pageRoutes(
  dependencies: ConsoleDependencies,
  page: {
    path: string;
    section: string;
    show: (visit: PageVisit) => PageContent;
    /** By the last segment of the form's address; "" is the page's own. */
    forms?: Record<string, (visit: PageVisit, form: URLSearchParams) => FormOutcome>;
    /** Pages that make no sense without an organisation say so. */
    needsOrganisation?: boolean;
  },
): Route[] {
  const { core } = dependencies;

  const visitOf = ({ message, params, query }: RoutedRequest): PageVisit | null => {
    const session = readSession(dependencies, message);
    if (!session) return null;
    const id = session.account.organisationId;
    const organisation = id === null ? null : core.stores.organisations.find(id);
    return { ...session, organisation, params, query, notice: doneNotice(query) };
  };

  const render = (visit: PageVisit, status = 200): Answer => {
    const frame: PageFrame = {
      environment: core.options.environment,
      account: visit.account,
      section: page.section,
    };
    if (page.needsOrganisation && !visit.organisation) {
      const body = html`<div class="card"><p>Create an organisation first: <a href="/">see what is left to do</a>.</p></div>`;
      return pageAnswer(frame, { title: "No organisation yet", body });
    }
    try {
      const content = page.show(visit);
      return pageAnswer(frame, { notice: visit.notice, ...content }, status);
    } catch (error) {
      const notice = refusalNotice(error);
      const body = html`<p><a href="${page.section}">Back</a></p>`;
      return pageAnswer(frame, { title: "Not available", notice, body }, 404);
    }
  };

  const signIn: Answer = { kind: "redirect", location: "/sign-in" };
  const show: Route = {
    method: "GET",
    pattern: page.path,
    handle: (request) => {
      const visit = visitOf(request);
      return visit ? render(visit) : signIn;
    },
  };
  const forms = Object.entries(page.forms ?? {}).map(([name, submit]): Route => {
    const pattern = name === "" ? page.path : `${page.path === "/" ? "" : page.path}/${name}`;
    const handle = async (request: RoutedRequest): Promise<Answer> => {
      const visit = visitOf(request);
      if (!visit) return signIn;
      const fields = await readForm(request);
      if (page.needsOrganisation && !visit.organisation) return render(visit);
      try {
        const outcome = submit(visit, fields);
        if (outcome.kind === "stay") return render({ ...visit, notice: outcome.notice });
        return { kind: "redirect", location: outcome.location };
      } catch (error) {
        return render({ ...visit, notice: refusalNotice(error) }, 400);
      }
    };
    return { method: "POST", pattern, handle };
  });
  return [show, ...forms];
}

/** The organisation of a page that needs one. */
export function organisationOf(visit: PageVisit): Organisation {
  if (!visit.organisation) throw new ApiError(409, "CONFLICT", "Create an organisation first");
  return visit.organisation;
}

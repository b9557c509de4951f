import { isRouteErrorResponse } from "@remix-run/react";

export interface ErrorDescription {
  title: string;
  sentence: string;
  nextStep: string;
}

/** A description that may be thrown, as `data(…)` or as JSON, to say more than its status does. */
export interface ThrownDescription extends ErrorDescription {
  /** Where the next step is taken, if it is taken in Pathway. */
  step?: { label: string; url: string };
  back?: { label: string; url: string };
  /** The page is loaded again after so many seconds. */
  againInS?: number;
}

/** The description that an error of a route carries; null where it has none. */
export function thrownDescription(error: unknown): ThrownDescription | null {
  const thrown: unknown = isRouteErrorResponse(error) ? error.data : null;
  return isDescription(thrown) ? thrown : null;
}

const isDescription = (thrown: unknown): thrown is ThrownDescription =>
  typeof thrown === "object" && thrown !== null && "title" in thrown && "nextStep" in thrown;

/** Explains an HTTP status to a member of staff: what happened, and what to do next. */
export function describeError(status: number): ErrorDescription {
  switch (status) {
    case 400:
    case 405:
      return {
        title: "That didn’t work",
        sentence: "Pathway couldn’t read what the page sent. Nothing was changed.",
        nextStep: "Go back, reload the page and try again.",
      };
    case 404:
      return {
        title: "There’s nothing here",
        sentence: "This page doesn’t exist, or what it showed isn’t in this store.",
        nextStep: "Check the address, or go back and choose from the list.",
      };
    case 401:
    case 403:
    case 410:
      return {
        title: "Open Pathway from your Shopify admin",
        sentence: "Pathway couldn’t tell which store you’re signed in to.",
        nextStep: "Go to your Shopify admin, then choose Pathway under Apps.",
      };
    case 503:
      return {
        title: "Pathway is busy",
        sentence: "Pathway couldn’t answer in time. Orders already received are safe.",
        nextStep: "Wait a minute, then reload the page.",
      };
    default:
      return {
        title: "Something went wrong",
        sentence: "Pathway hit a problem showing this page. Orders already received are safe.",
        nextStep: "Reload the page. If it happens again, contact Pathway’s support.",
      };
  }
}

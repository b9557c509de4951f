import { useEffect, useLayoutEffect } from "react";

/**
 * An effect of what was just drawn, before anything else happens in the page: what it sets is drawn at once, so that no key that is
 * pressed comes in between. Nothing is drawn on the server.
 */
export const useDrawnEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

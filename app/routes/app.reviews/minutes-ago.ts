/** How long ago somebody was reached, in minutes: the choices of the form. */
export const MINUTES_AGO = [0, 15, 30, 60, 120, 240] as const;

const RAISED = new Map([..."0123456789-"].map((sign, at) => [sign, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"[at] ?? sign]));

/** A laboratory's unit as people write it: "10^9/L" and "10*9/L" become "10⁹/L", "m^2" becomes "m²". */
export const unitText = (text: string): string =>
  text.replace(/(?:\^|(?<=\b10)\*)(-?\d+)/g, (_, power: string) =>
    [...power].map((sign) => RAISED.get(sign) ?? sign).join(""),
  );

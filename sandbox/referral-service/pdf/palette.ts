/** Colours of printed documents; they stay legible on a black-and-white printer. */
export const palette = {
  ink: "#111827",
  muted: "#4b5563",
  faint: "#6b7280",
  rule: "#9ca3af",
  hairline: "#d1d5db",
  panel: "#f3f6f8",
  brand: "#0f4c5c",
  brandTint: "#e3eef0",
  abnormal: "#b42318",
  abnormalTint: "#fdecea",
  inRange: "#7fb8a4",
} as const;

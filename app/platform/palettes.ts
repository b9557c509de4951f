/**
 * Every colour of what a patient reads by what it is for, by day and by night, on pages and in emails. `paper` lies under
 * everything, `edge` is around what is filled in.
 */
export const PALETTES = {
  light: {
    ...{ paper: "#ffffff", soft: "#f6f8fa", band: "#eaeef2", line: "#d0d7de", edge: "#6e7781" },
    ...{ ink: "#1f2328", quiet: "#57606a", act: "#0b57d0", bad: "#b3261e", good: "#1a6b3a" },
  },
  dark: {
    ...{ paper: "#14181d", soft: "#1f252c", band: "#2a323b", line: "#3d4650", edge: "#8b949e" },
    ...{ ink: "#e6e9ed", quiet: "#a9b2bc", act: "#8ab4f8", bad: "#ffb4ab", good: "#7fd19b" },
  },
} as const;

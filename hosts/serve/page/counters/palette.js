// The colours of counters: one set for light and dark, since the map is paper in both.

/** @typedef {{dark: string, mid: string, pale: string, ink: string}} Ink */

/** @type {Record<string, Ink>} */
export const INKS = {
  blue: { dark: "#163a68", mid: "#2f629f", pale: "#dbe7f4", ink: "#10243f" },
  rust: { dark: "#6b2a16", mid: "#a3522f", pale: "#f6e3d6", ink: "#3b170b" },
  grey: { dark: "#3a3d41", mid: "#6a6f75", pale: "#e9e9e6", ink: "#232527" },
  green: { dark: "#234b2b", mid: "#477e50", pale: "#e2eee0", ink: "#14301a" },
  ochre: { dark: "#5e470c", mid: "#a98422", pale: "#f6ecd0", ink: "#352804" },
  violet: { dark: "#3d2c5f", mid: "#6f589b", pale: "#eae3f3", ink: "#241a3a" },
};

export const TONES = {
  bad: { fill: "#9b2d1f", ink: "#fff8f2" },
  good: { fill: "#2f6b3c", ink: "#f6fff4" },
  plain: { fill: "#fff6dc", ink: "#2b2420" },
};

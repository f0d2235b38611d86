/** A form's accent color, adjusted so that it is readable on the page and text on it is readable. */

type Rgb = readonly [number, number, number];
export type Accent = { accent: string; on: string };

/** The background of the color, as in pages.css. */
const CARD: Record<"light" | "dark", Rgb> = { light: [255, 255, 255], dark: [28, 32, 34] };
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** WCAG 2, level AA, for text of any size. Slightly more, because the page around the card is less bright. */
const ENOUGH = 4.8;

/** The color, darkened or lightened as much as the scheme needs. @param color `#RRGGBB` */
export function accentFor(color: string, scheme: "light" | "dark"): Accent {
  const end = scheme === "light" ? BLACK : WHITE;
  let tone = rgbOf(color);
  for (let part = 0.1; contrast(tone, CARD[scheme]) < ENOUGH && part <= 1; part += 0.1) {
    tone = mix(rgbOf(color), end, part);
  }
  // Either black or white always has enough contrast.
  return { accent: hexOf(tone), on: contrast(tone, WHITE) >= contrast(tone, BLACK) ? "#ffffff" : "#000000" };
}

/** The contrast of two colors by WCAG 2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const mix = (from: Rgb, to: Rgb, part: number): Rgb => {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * Math.min(part, 1));
  return [at(0), at(1), at(2)];
};

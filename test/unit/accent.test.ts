import { expect, test } from "vitest";
import { accentFor, contrast, rgbOf } from "../../src/api/pages/forms/accent.ts";

/** What WCAG 2 asks for at level AA. */
const READABLE = 4.5;
const PAPER = { light: ["#ffffff", "#f6f8fa"], dark: ["#1c2022", "#15181a"] } as const;

test("black on white has the most contrast there is", () => {
  expect(contrast(rgbOf("#000000"), rgbOf("#ffffff"))).toBeCloseTo(21);
  expect(contrast(rgbOf("#777777"), rgbOf("#ffffff"))).toBeCloseTo(4.48, 2);
});

test("with any form color, all text in it or on it is readable", () => {
  const steps = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of steps) {
    for (const green of steps) {
      for (const blue of steps) {
        for (const scheme of ["light", "dark"] as const) {
          const { accent, on } = accentFor(`#${red}${green}${blue}`, scheme);
          for (const paper of PAPER[scheme]) {
            expect(contrast(rgbOf(accent), rgbOf(paper)), `${red}${green}${blue} ${scheme}`).toBeGreaterThan(READABLE);
          }
          expect(contrast(rgbOf(accent), rgbOf(on)), `${red}${green}${blue} ${scheme}`).toBeGreaterThan(READABLE);
        }
      }
    }
  }
});

test("a color that can be read stays as it is", () => {
  expect(accentFor("#1e3a8a", "light")).toEqual({ accent: "#1e3a8a", on: "#ffffff" });
  expect(accentFor("#f59e0b", "dark")).toEqual({ accent: "#f59e0b", on: "#000000" });
});

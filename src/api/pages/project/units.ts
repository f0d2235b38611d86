import type { Option } from "../kit/fields.ts";

/** What estimates are in, in people's words. */
export const UNITS: readonly Option[] = [
  { value: "time", label: "Hours" },
  { value: "points", label: "Points" },
  { value: "none", label: "No estimates" },
];

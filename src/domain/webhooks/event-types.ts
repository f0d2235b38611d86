import { refuse } from "../errors.ts";
import { own } from "../own.ts";
import { closest } from "../text.ts";
import { CATALOGUE, EVENT_ALIASES } from "./catalogue.ts";

/**
 * The names a body subscribes to, in their own spelling and once each: an event's name, `issue.*` for all that begin
 * so, `*` for all.
 * @throws Refusal validation_failed
 */
export function readEventTypes(given: readonly string[]): string[] {
  const read = given.map((text) => {
    const name = text.trim().toLowerCase();
    return own(EVENT_ALIASES, name) ?? name;
  });
  const errors = read.flatMap((name, at) => (isKnown(name) ? [] : [unknownName(name, at)]));
  if (errors.length > 0) refuse("validation_failed", { message: errors[0]!.message, errors });
  return [...new Set(read)];
}

/** Everything that may stand in the list. */
const KNOWN = new Set(["*", ...CATALOGUE, ...CATALOGUE.flatMap(prefixes)]);

const isKnown = (name: string) => KNOWN.has(name);

/** `issue.link.created` belongs to `issue.link.*` and `issue.*`. */
function prefixes(name: string): string[] {
  const words = name.split(".");
  return words.slice(0, -1).map((_, at) => `${words.slice(0, at + 1).join(".")}.*`);
}

function unknownName(name: string, at: number) {
  const meant = closest(name, [...KNOWN]);
  return {
    path: `/event_types/${at}`,
    code: "not_allowed",
    message: `${name} is no event.${meant ? ` Did you mean ${meant}?` : ""}`,
    ...(meant ? { did_you_mean: meant } : {}),
  };
}

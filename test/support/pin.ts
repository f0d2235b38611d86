import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  definedAuditsPath,
  definedAuditsSource,
  definedEventsPath,
  definedEventsSource,
} from "../contract/defined-events.ts";

/** `npm run pin`: writes the pinned files again. The list of missing operations may only get shorter. */

// First, because the pins are derived from them.
writeFileSync(definedEventsPath, definedEventsSource());
const { errorCodesPath, errorCodesSource } = await import("../contract/error-codes.ts");
writeFileSync(errorCodesPath, errorCodesSource());
writeFileSync(definedAuditsPath, definedAuditsSource());
const { DESCRIPTION, pinPath, pins, readPin } = await import("../contract/pins.ts");
const { generated, generatedPath } = await import("../../clients/typescript/generate/main.ts");

for (const [name, make] of Object.entries(pins)) {
  const content = make();
  const before = existsSync(pinPath(name)) ? readPin(name) : null;
  if (before === content) continue;
  if (name === "missing-operations.txt" && before !== null) refuseNewLines(before, content);
  writeFileSync(pinPath(name), content);
  console.log(`${name} written`);
}

for (const [name, source] of Object.entries(await generated(readPin(DESCRIPTION)))) {
  if (existsSync(generatedPath(name)) && readFileSync(generatedPath(name), "utf8") === source) continue;
  writeFileSync(generatedPath(name), source);
  console.log(`clients/typescript: ${name} written`);
}

function refuseNewLines(before: string, after: string) {
  const added = after.split("\n").filter((line) => !before.split("\n").includes(line));
  if (added.length === 0) return;
  console.error(`These operations are gone from the API:\n  ${added.join("\n  ")}`);
  process.exit(1);
}

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  changelogText,
  changesSinceRelease,
  presentSurface,
  RELEASED,
  surfaceText,
  today,
} from "../contract/changelog.ts";
import { pinPath } from "../contract/pins.ts";

/**
 * `npm run release-api -- 1.1.0`: names what is unreleased, with the date of today, and stores the API as the state that
 * later changes are compared with. The next `npm run pin` writes the version into the API description.
 */

const VERSION_FILE = fileURLToPath(new URL("../../src/api/openapi/version.ts", import.meta.url));
const [version = ""] = process.argv.slice(2);
if (!/^1\.\d+\.\d+$/.test(version)) {
  console.error("Give the new version of the API: npm run release-api -- 1.1.0");
  process.exit(1);
}

const surface = presentSurface();
const isFirst = !existsSync(RELEASED);
const changes = isFirst ? [] : changesSinceRelease();
const breaking = changes.filter(({ breaks }) => breaks);
if (breaking.length > 0) {
  console.error(`These changes break clients:\n  ${breaking.map(({ text }) => text).join("\n  ")}`);
  process.exit(1);
}
const count = (entries: object) => Object.keys(entries).length;
const first = `The first release: ${count(surface.operations)} operations, ${surface.events.length} events and ${count(surface.errors)} error codes.\n`;
writeFileSync(
  pinPath("../../docs/api-changelog.md"),
  changelogText(changes, `${version} (${today()})`, isFirst ? first : ""),
);
writeFileSync(RELEASED, surfaceText(surface));
writeFileSync(
  VERSION_FILE,
  readFileSync(VERSION_FILE, "utf8").replace(/API_VERSION = "[^"]*"/, `API_VERSION = "${version}"`),
);
console.log(`The API ${version} is released. Run npm run pin, and commit.`);

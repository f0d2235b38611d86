import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The API description as `npm run pin` writes it to a file: making it would hold a serving process for 200 ms. */

/** The base URL in the file. */
export const WRITTEN_FOR = "https://muster.test";

const FILE = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));

/** The description of a service, as JSON without white space. `baseUrl` has no trailing slash. */
export async function writtenDescription(baseUrl: string): Promise<string> {
  const indented = await readFile(FILE, "utf8");
  // Strings in JSON contain no line breaks.
  return indented.replaceAll(/\n */g, "").replaceAll(WRITTEN_FOR, () => JSON.stringify(baseUrl).slice(1, -1));
}

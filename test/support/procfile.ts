import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Node's own flags in the command that the Procfile gives for a process. */
export function flagsOf(process: string): string[] {
  const procfile = readFileSync(join(import.meta.dirname, "../../Procfile"), "utf8");
  const command = new RegExp(`^${process}: node (.*)src/${process}\\.ts$`, "m").exec(procfile);
  if (!command) throw new Error(`The Procfile does not start ${process} with node.`);
  return command[1]!.split(" ").filter(Boolean);
}

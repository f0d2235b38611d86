import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the Dockerfile puts into the image, made in a folder without a container engine. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

type Instruction = { name: string; text: string };

/** The Dockerfile's instructions of each stage, with continued lines joined. */
export function stages(): Instruction[][] {
  const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/ \\\n */g, " ")
    .split("\n")
    .filter(Boolean);
  const found: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === "FROM") found.push([]);
    found.at(-1)?.push({ name, text });
  }
  return found;
}

/** Pairs of source and target of the files that the last stage copies from the project. */
export const copied = (): { from: string; to: string }[] =>
  (stages().at(-1) ?? [])
    .filter(({ name, text }) => name === "COPY" && !text.startsWith("--from="))
    .flatMap(({ text }) => {
      const parts = text.split(" ");
      const to = parts.pop() ?? "";
      return parts.map((from) => ({ from, to: to.endsWith("/") ? join(to, from.split("/").at(-1) ?? "") : to }));
    });

/**
 * Lays out the image's folder /app: the packages that `npm ci --omit=dev` installs, less what the Dockerfile removes,
 * and the files it copies.
 */
export function layOutImage(folder: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ dev?: boolean }>(lock.packages).filter(([path]) => path !== "");
  const isInside = (path: string) => path.lastIndexOf("node_modules/") > 0;
  copyAll(
    packages.filter(([path, { dev }]) => !dev && !isInside(path) && existsSync(join(ROOT, path))).map(([path]) => path),
    folder,
  );
  for (const [path, { dev }] of packages)
    if (dev && isInside(path)) rmSync(join(folder, path), { recursive: true, force: true });

  const [command = ""] = (stages()[0] ?? []).filter(({ name }) => name === "RUN").map(({ text }) => text);
  if (!command.startsWith("npm ci --omit=dev && ")) throw new Error("The first stage must begin with npm ci.");
  execFileSync("sh", ["-euc", command.slice("npm ci --omit=dev && ".length)], { cwd: folder });
  for (const { from, to } of copied()) cpSync(join(ROOT, from), join(folder, to), { recursive: true });
  mkdirSync(join(folder, "files"));
}

/** As hard links, which takes a second; as copies where the temporary folder is on another disk. */
function copyAll(paths: string[], folder: string): void {
  const linked = spawnSync("cp", ["-al", "--parents", ...paths, folder], { cwd: ROOT });
  if (linked.status === 0) return;
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

import { readdirSync } from "node:fs";

const FOLDER = new URL("../migrations/", import.meta.url);

/** Names of all migrations in the order in which they run: that of their file names. */
export const MIGRATIONS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .sort();

export const NEWEST_MIGRATION: string = MIGRATIONS.at(-1)!;

export const migrationUrl = (name: string): string => new URL(`${name}.ts`, FOLDER).href;

import { resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { readDevFile } from "../dev/dev-file.ts";
import { PROJECT_FOLDER } from "../dev/settings.ts";
import { Failure } from "./command.ts";

/**
 * Which installation is meant: that of the environment, else the development stack's, as it says in dev.json. Commands
 * seal nothing, so they need no SECRET_KEY.
 * @throws Failure
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Config {
  const folder = env.DATA_DIR ? resolve(env.DATA_DIR) : resolve(PROJECT_FOLDER, ".data");
  const dev = env.DATABASE_URL && env.REDIS_URL ? undefined : readDevFile(folder);
  if (!env.DATABASE_URL && !dev) {
    throw new Failure(
      `Which installation? Set DATABASE_URL, or start one with: npm run dev (no dev.json in ${folder})`,
    );
  }
  try {
    return readConfig({
      ...env,
      NODE_ENV: env.NODE_ENV ?? "development",
      DATABASE_URL: env.DATABASE_URL || dev?.database_url,
      REDIS_URL: env.REDIS_URL || dev?.redis_url,
      BASE_URL: env.BASE_URL || dev?.base_url,
    });
  } catch (error) {
    throw new Failure((error as Error).message);
  }
}

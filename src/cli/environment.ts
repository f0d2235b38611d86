import { resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { readDevFile } from "../dev/dev-file.ts";
import { PROJECT_FOLDER } from "../dev/settings.ts";
import { Failure } from "./command.ts";

/**
 * The installation to use: that of the environment, otherwise the development stack of dev.json. Both stores belong
 * to the same installation. Commands seal nothing, so they need no SECRET_KEY.
 * @throws Failure
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig({ ...env, NODE_ENV: env.NODE_ENV ?? "development", ...storesOf(env) });
  } catch (error) {
    throw new Failure((error as Error).message);
  }
}

function storesOf(env: NodeJS.ProcessEnv) {
  const { DATABASE_URL, REDIS_URL } = env;
  if (DATABASE_URL && REDIS_URL) return {};

  const folder = env.DATA_DIR ? resolve(env.DATA_DIR) : resolve(PROJECT_FOLDER, ".data");
  const dev = readDevFile(folder);
  // The development stack may itself use one of the two variables.
  const fits = (given: string | undefined, known: string | undefined) => !given || given === known;
  if (dev && fits(DATABASE_URL, dev.database_url) && fits(REDIS_URL, dev.redis_url))
    return { DATABASE_URL: dev.database_url, REDIS_URL: dev.redis_url, BASE_URL: env.BASE_URL || dev.base_url };

  if (!DATABASE_URL && !REDIS_URL)
    throw new Failure(
      `No installation found. Set DATABASE_URL and REDIS_URL, or start one with: npm run dev (no dev.json in ${folder})`,
    );
  const [given, missing] = DATABASE_URL ? ["DATABASE_URL", "REDIS_URL"] : ["REDIS_URL", "DATABASE_URL"];
  throw new Failure(`${given} is set and ${missing} is not. Set both, or neither to use npm run dev.`);
}

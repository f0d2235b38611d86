import { z } from "zod";
import { count, flag, http, isKey, key, keys, list, optional, port, type Values } from "./types.ts";

/** How the processes run, listen and stop. */
export const serverVariables = {
  NODE_ENV: z
    .enum(["production", "development", "test"])
    .default("production")
    .describe("Relaxes the rules named below in development and test."),
  PORT: port.default(3000).describe("Port of the web process."),
  HOST: z.string().default("0.0.0.0").describe("Address the web process listens on."),
  BASE_URL: http
    .optional()
    .describe(
      "Public address, as clients see it; required in production where payments are on. Default: http://localhost:PORT.",
    ),
  TRUSTED_PROXIES: count
    .default(0)
    .describe("Proxies in front of the web process whose X-Forwarded-For is believed. Heroku: 1."),
  SECRET_KEY: key
    .optional()
    .describe("Seals secrets that must be read again (webhook secrets). 32 bytes as base64; required in production."),
  SECRET_KEYS_RETIRED: keys(isKey)
    .default([])
    .describe("Earlier values of SECRET_KEY, comma-separated, still able to open what they sealed."),
  OPERATOR_PASSWORD: optional.describe(
    "Password (user operator) of /admin/queues and /metrics. Unset: both answer 404.",
  ),
  OPERATOR_HOSTS: list
    .default([])
    .describe(
      "Host names under which /admin/queues and /metrics answer besides that of BASE_URL and localhost, comma-separated; * for any.",
    ),
  STOP_SECONDS: z.coerce
    .number()
    .min(3)
    .default(25)
    .describe("Seconds in which a process ends after SIGTERM: less than the platform grants before SIGKILL."),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .default(5)
    .describe(
      "Seconds after SIGTERM in which web still takes requests while /readyz answers 503: longer than a balancer needs to notice. At most STOP_SECONDS less 3.",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least severe line that is logged."),
  LENIENT_INPUT: flag
    .default(false)
    .describe("Ignore unknown fields and parameters with a warning instead of refusing them."),
};

export function serverProblems(env: Values<typeof serverVariables>): string[] {
  const problems: string[] = [];
  if (env.NODE_ENV === "production" && !env.SECRET_KEY) {
    problems.push("SECRET_KEY: required in production; make one with: openssl rand -base64 32");
  }
  if (env.DRAIN_SECONDS > env.STOP_SECONDS - 3) {
    problems.push("DRAIN_SECONDS: must be at least 3 less than STOP_SECONDS; requests under way end in between");
  }
  return problems;
}

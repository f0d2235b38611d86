import { z } from "zod";
import { count, flag, isKey, key, keys, list, optional, origin, port, type Values } from "./types.ts";

/** Running, listening and stopping of the processes. */
export const serverVariables = {
  NODE_ENV: z
    .enum(["production", "development", "test"])
    .default("production")
    .describe("Relaxes the rules marked below in development and test."),
  PORT: port.default(3000).describe("Port of the web process."),
  HOST: z.string().default("0.0.0.0").describe("Address the web process listens on."),
  BASE_URL: origin
    .optional()
    .describe(
      "Public address, as clients see it, e.g. https://muster.example.com; required in production. Default: http://localhost:PORT.",
    ),
  TRUSTED_PROXIES: count
    .default(0)
    .describe("Number of trusted proxies in front of the web process, whose X-Forwarded-For is used. Heroku: 1."),
  SECRET_KEY: key
    .optional()
    .describe(
      "Encrypts stored secrets that must be readable (e.g. webhook secrets). 32 bytes as base64; required in production.",
    ),
  SECRET_KEYS_RETIRED: keys(isKey)
    .default([])
    .describe("Earlier values of SECRET_KEY, comma-separated. They still decrypt older secrets."),
  OPERATOR_PASSWORD: optional.describe(
    "Password (user operator) of /admin/queues and /metrics; in production at least 12 characters. Unset: both answer 404.",
  ),
  OPERATOR_HOSTS: list
    .default([])
    .describe(
      "Host names for /admin/queues and /metrics besides that of BASE_URL and localhost, comma-separated; * for any.",
    ),
  STOP_SECONDS: z.coerce
    .number()
    .min(3)
    .default(25)
    .describe("Seconds in which a process stops after SIGTERM. Must be less than the platform's time before SIGKILL."),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .default(5)
    .describe(
      "Seconds after SIGTERM in which web still accepts requests while /readyz answers 503. Must be longer than the load balancer takes to notice. At most STOP_SECONDS minus 3.",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Minimum severity of log lines."),
  LENIENT_INPUT: flag
    .default(false)
    .describe("Ignore unknown fields and parameters with a warning instead of rejecting them."),
};

/** A default for development and tests. It protects nothing. */
export const DEVELOPMENT_SECRET = Buffer.alloc(32, "muster development key ").toString("base64");

export function serverProblems(env: Values<typeof serverVariables>): string[] {
  const problems = env.NODE_ENV === "production" ? productionProblems(env) : [];
  if (env.DRAIN_SECONDS > env.STOP_SECONDS - 3) {
    problems.push("DRAIN_SECONDS: must be at least 3 less than STOP_SECONDS; requests under way end in between");
  }
  return problems;
}

function productionProblems({ BASE_URL, SECRET_KEY, OPERATOR_PASSWORD }: Values<typeof serverVariables>): string[] {
  const problems: string[] = [];
  if (!BASE_URL) {
    problems.push(
      "BASE_URL: required in production; set the address that people open, e.g. https://muster.example.com",
    );
  }
  if (!SECRET_KEY) problems.push("SECRET_KEY: required in production; make one with: openssl rand -base64 32");
  if (SECRET_KEY === DEVELOPMENT_SECRET) {
    problems.push("SECRET_KEY: this is the public key of development; make one with: openssl rand -base64 32");
  }
  if (OPERATOR_PASSWORD && OPERATOR_PASSWORD.length < 12) {
    problems.push("OPERATOR_PASSWORD: at least 12 characters in production; make one with: openssl rand -base64 18");
  }
  return problems;
}

import { z } from "zod";
import { address, flag, optional, some } from "./types.ts";

/** Postgres and Redis. */
export const storeVariables = {
  DATABASE_URL: address("postgres:", "postgresql:")
    .default("postgres://localhost:5432/muster")
    .describe("Address of Postgres; sslmode=require for TLS."),
  DATABASE_PASSWORD: optional.describe(
    "Password for DATABASE_URL, as it is: unlike a password in the address, it is not percent-encoded.",
  ),
  DATABASE_POOL: some.default(10).describe("Postgres connections of one process, reads and writes together."),
  DATABASE_SSL_NO_VERIFY: flag.default(false).describe("Accept a self-signed Postgres certificate, as on Heroku."),
  REDIS_URL: address("redis:", "rediss:")
    .default("redis://localhost:6379")
    .describe("Address of Redis; rediss: for TLS."),
  REDIS_TLS_NO_VERIFY: flag.default(false).describe("Accept a self-signed Redis certificate, as on Heroku."),
  REDIS_PREFIX: z
    .string()
    .default("muster")
    .describe("Prefix of every Redis key. Installations that share a Redis need different prefixes."),
};

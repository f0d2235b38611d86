import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../config.ts";
import { keptSecret } from "./files.ts";
import { StartupError } from "./startup-error.ts";

export const PROJECT_FOLDER = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export type Settings = ReturnType<typeof readSettings>;

/**
 * The settings of the development stack from the environment.
 * @throws StartupError that lists every invalid variable
 */
export function readSettings(env: NodeJS.ProcessEnv) {
  const folder = env.DATA_DIR ? resolve(env.DATA_DIR) : resolve(PROJECT_FOLDER, ".data");
  const { PORT, HOST, BASE_URL } = checked(env);
  if (PORT === 0) throw new StartupError("PORT: 0 is not possible here, because BASE_URL must name the port.");
  return {
    folder,
    port: PORT,
    host: HOST,
    /** Whether the service can be reached only from this machine. */
    isLocal: [LOOPBACK, "::1", "localhost"].includes(HOST),
    baseUrl: BASE_URL,
    /** If set, used instead of the embedded ones. */
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
  };
}

/** Sign-in mails can be read here, so the service listens for other machines only if HOST says so. */
const LOOPBACK = "127.0.0.1";

function checked(env: NodeJS.ProcessEnv) {
  try {
    return readConfig({ ...env, HOST: env.HOST || LOOPBACK, NODE_ENV: "development" });
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

export type Secrets = { secretKey: string; operatorPassword: string; receiptKey: string };
/** The card processor's emulator. Null if the environment names a real one. */
export type Cards = { url: string; webhookSecret: string };

/** Secrets of this installation: from the environment, or created once and stored in the data folder. */
export function readSecrets(env: NodeJS.ProcessEnv, folder: string): Secrets {
  mkdirSync(folder, { recursive: true });
  return {
    secretKey: env.SECRET_KEY || keptSecret(resolve(folder, "secret.key"), 32, "base64"),
    receiptKey: env.RECEIPT_KEY || keptSecret(resolve(folder, "receipt.key"), 32, "base64"),
    operatorPassword: env.OPERATOR_PASSWORD || keptSecret(resolve(folder, "operator.password"), 12, "base64url"),
  };
}

/** Where mail is captured. Null if the environment names a mail server. */
export type Mailbox = { url: string; folder: string };

/** The environment of web, worker and migrations. */
export const environmentOf = (
  env: NodeJS.ProcessEnv,
  settings: Settings,
  secrets: Secrets,
  servers: { databaseUrl: string; redisUrl: string },
  cards: Cards | null,
  mailbox: Mailbox | null,
): NodeJS.ProcessEnv => ({
  WEBHOOK_ALLOW_LOOPBACK: "true",
  // People who try the service request prices more often than buyers do.
  CHALLENGES_PER_MINUTE: "120",
  FILES_FOLDER: resolve(settings.folder, "files"),
  NODE_COMPILE_CACHE: resolve(settings.folder, "cache"),
  // There is no load balancer, and a person waits for the stop.
  DRAIN_SECONDS: "0",
  STOP_SECONDS: "10",
  ...env,
  NODE_ENV: "development",
  HOST: settings.host,
  PORT: String(settings.port),
  BASE_URL: settings.baseUrl,
  DATABASE_URL: servers.databaseUrl,
  REDIS_URL: servers.redisUrl,
  SECRET_KEY: secrets.secretKey,
  OPERATOR_PASSWORD: secrets.operatorPassword,
  RECEIPT_KEY: secrets.receiptKey,
  ...(cards
    ? {
        STRIPE_SECRET_KEY: "sk_test_development",
        STRIPE_API_BASE: cards.url,
        STRIPE_WEBHOOK_SECRET: cards.webhookSecret,
      }
    : {}),
  ...(mailbox ? { SMTP_URL: mailbox.url, MAILBOX_FOLDER: mailbox.folder } : {}),
  DATA_DIR: settings.folder,
});

import { z } from "zod";
import { TEST_NETWORK_ID, variables } from "./variables.ts";

/** Reads the environment. No other code does. variables.ts describes each variable. */

const Environment = z.object(variables);
type Environment = z.infer<typeof Environment>;

export type Config = Readonly<
  Omit<Environment, "BASE_URL" | "MAIL_FROM" | "SECRET_KEY" | "RECEIPT_KEY"> & {
    BASE_URL: string;
    MAIL_FROM: string;
    SECRET_KEY: string;
    RECEIPT_KEY: string;
  }
>;

/** An invalid environment. Its message tells the operator everything they need. */
export class Misconfigured extends Error {
  constructor(problems: readonly string[]) {
    super(
      `The environment is not valid.${problems.map((one) => `${problems.length > 1 ? "\n " : ""} ${one}`).join("")}`,
    );
  }
}

// A default for development and tests. It protects nothing.
const DEVELOPMENT_SECRET = Buffer.alloc(32, "muster development key ").toString("base64");

/** Reads and validates the environment. @throws Misconfigured with every invalid variable and its meaning */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = Environment.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message} (${describe(issue.path[0])})`);
  if (parsed.success && parsed.data.NODE_ENV === "production" && !parsed.data.SECRET_KEY) {
    problems.push("SECRET_KEY: required in production; make one with: openssl rand -base64 32");
  }
  if (parsed.success) problems.push(...paymentProblems(parsed.data));
  if (parsed.success && parsed.data.DRAIN_SECONDS > parsed.data.STOP_SECONDS - 3) {
    problems.push("DRAIN_SECONDS: must be at least 3 less than STOP_SECONDS; requests under way end in between");
  }
  if (parsed.success && parsed.data.NODE_ENV === "production" && parsed.data.MAILBOX_FOLDER) {
    problems.push("MAILBOX_FOLDER: not in production, where anybody could read everybody's mail");
  }
  if (parsed.success && Boolean(parsed.data.S3_ACCESS_KEY_ID) !== Boolean(parsed.data.S3_SECRET_ACCESS_KEY)) {
    problems.push("S3_ACCESS_KEY_ID: goes with S3_SECRET_ACCESS_KEY; set both, or neither");
  }
  if (!parsed.success || problems.length > 0) throw new Misconfigured(problems);

  const { data } = parsed;
  const baseUrl = (data.BASE_URL ?? `http://localhost:${data.PORT}`).replace(/\/$/, "");
  return Object.freeze({
    ...data,
    BASE_URL: baseUrl,
    MAIL_FROM: data.MAIL_FROM ?? `Muster <no-reply@${new URL(baseUrl).hostname}>`,
    SECRET_KEY: data.SECRET_KEY ?? DEVELOPMENT_SECRET,
    RECEIPT_KEY: data.RECEIPT_KEY ?? DEVELOPMENT_SECRET,
  });
}

function paymentProblems(data: Environment): string[] {
  const problems: string[] = [];
  const { STRIPE_TIMEOUT_MS, PAYMENT_SETTLE_SECONDS, PAYMENT_ABANDON_SECONDS } = data;
  // A charge may start until the first time-out and take the second. Within that time, no reply may say that nothing
  // was charged.
  if (PAYMENT_ABANDON_SECONDS * 1000 < PAYMENT_SETTLE_SECONDS * 1000 + STRIPE_TIMEOUT_MS) {
    problems.push("PAYMENT_ABANDON_SECONDS: must be at least PAYMENT_SETTLE_SECONDS and STRIPE_TIMEOUT_MS together");
  }
  if (data.NODE_ENV !== "production" || !data.STRIPE_SECRET_KEY) return problems;
  if (!data.RECEIPT_KEY) {
    problems.push("RECEIPT_KEY: required in production where payments are on; make one with: openssl rand -base64 32");
  }
  if (!data.STRIPE_WEBHOOK_SECRET) {
    problems.push("STRIPE_WEBHOOK_SECRET: required in production where payments are on; the processor shows it");
  }
  if (data.STRIPE_NETWORK_ID === TEST_NETWORK_ID) {
    problems.push("STRIPE_NETWORK_ID: required in production where payments are on; the processor shows it");
  }
  if (!data.BASE_URL) {
    problems.push("BASE_URL: required in production where payments are on; receipts and challenges name it");
  }
  return problems;
}

const describe = (name: PropertyKey | undefined) => variables[name as keyof typeof variables]?.description ?? "";

import { z } from "zod";
import { type Environment, problemsOf, variables } from "./variables/index.ts";
import { DEVELOPMENT_SECRET } from "./variables/server.ts";

/** Reads the environment. No other code does. variables/ describes each variable. */

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

/** Reads and validates the environment. @throws Misconfigured with every invalid variable and its meaning */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = z.object(variables).safeParse(given);
  const problems = parsed.success
    ? problemsOf(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message} (${describe(issue.path[0])})`);
  if (!parsed.success || problems.length > 0) throw new Misconfigured(problems);

  const { data } = parsed;
  const baseUrl = (data.BASE_URL ?? `http://localhost:${data.PORT}`).replace(/\/$/, "");
  return Object.freeze({
    ...data,
    DATABASE_URL: withPassword(data.DATABASE_URL, data.DATABASE_PASSWORD),
    BASE_URL: baseUrl,
    MAIL_FROM: data.MAIL_FROM ?? `Muster <no-reply@${new URL(baseUrl).hostname}>`,
    SECRET_KEY: data.SECRET_KEY ?? DEVELOPMENT_SECRET,
    RECEIPT_KEY: data.RECEIPT_KEY ?? DEVELOPMENT_SECRET,
  });
}

/** The address with a password that is written as it is, so that nobody has to encode it. */
function withPassword(address: string, password: string | undefined): string {
  if (!password) return address;
  const url = new URL(address);
  // The setter leaves "%" as it is.
  url.password = encodeURIComponent(password);
  // An address without a host takes none.
  if (url.password === "") {
    throw new Misconfigured(["DATABASE_PASSWORD: needs a host in DATABASE_URL. Put the password there as ?password=…"]);
  }
  return url.href;
}

const describe = (name: PropertyKey | undefined) => variables[name as keyof typeof variables]?.description ?? "";

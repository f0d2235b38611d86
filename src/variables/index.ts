import type { z } from "zod";
import { exportVariables } from "./export.ts";
import { fileProblems, fileVariables } from "./files.ts";
import { limitVariables } from "./limits.ts";
import { mailProblems, mailVariables } from "./mail.ts";
import { oauthVariables } from "./oauth.ts";
import { paymentProblems, paymentVariables } from "./payments.ts";
import { planVariables } from "./plans.ts";
import { serverProblems, serverVariables } from "./server.ts";
import { storeVariables } from "./stores.ts";
import type { Values } from "./types.ts";
import { usageVariables } from "./usage.ts";
import { webhookVariables } from "./webhooks.ts";
import { workerVariables } from "./workers.ts";

/** All environment variables, with their meaning and default. `.env.example` repeats them in this order. */
export const variables = {
  ...serverVariables,
  ...storeVariables,
  ...workerVariables,
  ...planVariables,
  ...limitVariables,
  ...oauthVariables,
  ...usageVariables,
  ...webhookVariables,
  ...paymentVariables,
  ...mailVariables,
  ...fileVariables,
  ...exportVariables,
} satisfies Record<string, z.ZodType>;

export type Environment = Values<typeof variables>;

/** Errors of variables that are valid by themselves but not together. */
export const problemsOf = (env: Environment): string[] => [
  ...serverProblems(env),
  ...paymentProblems(env),
  ...mailProblems(env),
  ...fileProblems(env),
];
